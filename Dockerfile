# Sluice in a container: `docker build -t sluice .`. Nothing is compiled: the programs come as built, and the one native
# library comes with its npm package, for Debian's libc.

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY bin ./bin
COPY scripts ./scripts
COPY src ./src
COPY web ./web
COPY tsconfig.json ./
COPY proto ./proto
# The demo maker is one of them.
COPY examples ./examples
# The other packages are in the bundle.
RUN node scripts/run.mjs build && node scripts/runtime-packages.mjs /build/runtime

FROM node:24-slim
WORKDIR /sluice
ENV NODE_ENV=production SLUICE_DATA_DIR=/data
COPY --from=build /build/runtime/node_modules ./node_modules
COPY --from=build /build/dist ./dist
COPY bin ./bin
COPY programs/dist ./programs/dist
COPY proto ./proto
# The pages of the documentation site, and the files that it serves.
COPY docs ./docs
COPY examples ./examples
COPY README.md CHANGELOG.md package.json LICENSE NOTICE ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
# REST, makers' gRPC, metrics; and of the embedded network Solana JSON-RPC and WebSocket.
EXPOSE 8787 50051 9464 8899 8900
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s CMD ["node", "bin/healthy.mjs"]
ENTRYPOINT ["node", "bin/sluice.mjs"]
CMD ["start"]
