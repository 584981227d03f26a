// Generated from the OpenAPI document by `npm run portal:types`. A test fails when it is not up to date.

/** What each operation takes and answers, by its method and path. */
export interface PublicOperations {
  "GET /swap/v2/build": {
    path: Record<never, never>;
    query: {
      inputMint: string;
      outputMint: string;
      amount: string;
      taker: string;
      slippageBps?: number | "rtse";
      mode?: "fast";
      dexes?: string;
      excludeDexes?: string;
      platformFeeBps?: number;
      feeAccount?: string;
      maxAccounts?: number;
      payer?: string;
      wrapAndUnwrapSol?: boolean;
      destinationTokenAccount?: string;
      nativeDestinationAccount?: string;
      blockhashSlotsToExpiry?: number;
      tipAmount?: string;
      computeUnitPricePercentile?: number | "medium" | "high" | "veryHigh";
      forJitoBundle?: boolean;
      instructionVersion?: "V1" | "V2";
      swapMode?: "ExactIn";
    };
    body: undefined;
    answer: PublicSchemas["BuildResponse"];
  };
  "GET /swap/v2/order": {
    path: Record<never, never>;
    query: {
      inputMint: string;
      outputMint: string;
      amount: string;
      taker?: string;
      receiver?: string;
      swapMode?: "ExactIn" | "ExactOut";
      slippageBps?: number;
      referralAccount?: string;
      referralFee?: number;
      payer?: string;
      priorityFeeLamports?: number;
      jitoTipLamports?: number;
      broadcastFeeType?: "maxCap" | "exactFee";
      excludeRouters?: string;
      webhookId?: string;
      dexes?: string;
      excludeDexes?: string;
    };
    body: undefined;
    answer: PublicSchemas["OrderResponse"];
  };
  "GET /ultra/v1/order": {
    path: Record<never, never>;
    query: {
      inputMint: string;
      outputMint: string;
      amount: string;
      taker?: string;
      receiver?: string;
      swapMode?: "ExactIn" | "ExactOut";
      slippageBps?: number;
      referralAccount?: string;
      referralFee?: number;
      payer?: string;
      priorityFeeLamports?: number;
      jitoTipLamports?: number;
      broadcastFeeType?: "maxCap" | "exactFee";
      excludeRouters?: string;
      webhookId?: string;
      dexes?: string;
      excludeDexes?: string;
    };
    body: undefined;
    answer: PublicSchemas["OrderResponse"];
  };
  "POST /swap/v2/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ExecuteRequest"];
    answer: PublicSchemas["ExecuteResponse"];
  };
  "POST /ultra/v1/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ExecuteRequest"];
    answer: PublicSchemas["ExecuteResponse"];
  };
  "GET /swap/v2/squads/v5/order": {
    path: Record<never, never>;
    query: {
      inputMint: string;
      outputMint: string;
      amount: string;
      taker: string;
      settingsPda: string;
      signers: string;
      useWsol?: boolean;
    };
    body: undefined;
    answer: PublicSchemas["OrderResponse"];
  };
  "POST /swap/v2/squads/v5/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ExecuteRequest"];
    answer: PublicSchemas["ExecuteResponse"];
  };
  "GET /swap/v2/quote": {
    path: Record<never, never>;
    query: {
      inputMint: string;
      outputMint: string;
      amount: string;
      slippageBps?: number;
      dexes?: string;
      excludeDexes?: string;
      platformFeeBps?: number;
      useIncurredSlippageForQuoting?: boolean;
      dynamicSwap?: boolean;
    };
    body: undefined;
    answer: PublicSchemas["QuoteResponse"];
  };
  "POST /swap/v2/swap": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["SeparateSwapRequest"];
    answer: PublicSchemas["SeparateSwapResponse"];
  };
  "POST /swap/v2/swap-instructions": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["SeparateSwapRequest"];
    answer: PublicSchemas["SeparateSwapInstructions"];
  };
  "GET /swap/v2/program-id-to-label": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Readonly<Record<string, string>>;
  };
  "GET /swap/v1/quote": {
    path: Record<never, never>;
    query: {
      inputMint: string;
      outputMint: string;
      amount: number;
      slippageBps?: number;
      swapMode?: "ExactIn" | "ExactOut";
      dexes?: readonly string[];
      excludeDexes?: readonly string[];
      restrictIntermediateTokens?: boolean;
      onlyDirectRoutes?: boolean;
      asLegacyTransaction?: boolean;
      platformFeeBps?: number;
      maxAccounts?: number;
      instructionVersion?: "V1" | "V2";
      dynamicSlippage?: boolean;
      forJitoBundle?: boolean;
    };
    body: undefined;
    answer: PublicSchemas["QuoteResponse"];
  };
  "GET /v6/quote": {
    path: Record<never, never>;
    query: {
      inputMint: string;
      outputMint: string;
      amount: number;
      slippageBps?: number;
      swapMode?: "ExactIn" | "ExactOut";
      dexes?: readonly string[];
      excludeDexes?: readonly string[];
      restrictIntermediateTokens?: boolean;
      onlyDirectRoutes?: boolean;
      asLegacyTransaction?: boolean;
      platformFeeBps?: number;
      maxAccounts?: number;
      instructionVersion?: "V1" | "V2";
      dynamicSlippage?: boolean;
      forJitoBundle?: boolean;
    };
    body: undefined;
    answer: PublicSchemas["QuoteResponse"];
  };
  "POST /swap/v1/swap": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["SwapRequest"];
    answer: PublicSchemas["SwapResponse"];
  };
  "POST /v6/swap": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["SwapRequest"];
    answer: PublicSchemas["SwapResponse"];
  };
  "POST /swap/v1/swap-instructions": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["SwapRequest"];
    answer: PublicSchemas["SwapInstructionsResponse"];
  };
  "POST /v6/swap-instructions": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["SwapRequest"];
    answer: PublicSchemas["SwapInstructionsResponse"];
  };
  "GET /swap/v1/program-id-to-label": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Readonly<Record<string, string>>;
  };
  "GET /v6/program-id-to-label": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: Readonly<Record<string, string>>;
  };
  "GET /_cache/reference-fees": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["ReferenceFees"];
  };
  "GET /lend/v1/earn/tokens": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: readonly PublicSchemas["EarnToken"][];
  };
  "GET /lend/v1/earn/positions": {
    path: Record<never, never>;
    query: {
      users: string;
    };
    body: undefined;
    answer: readonly PublicSchemas["EarnPosition"][];
  };
  "GET /lend/v1/earn/earnings": {
    path: Record<never, never>;
    query: {
      user: string;
      positions: string;
    };
    body: undefined;
    answer: readonly PublicSchemas["Earnings"][];
  };
  "POST /lend/v1/earn/deposit": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["EarnAmountRequest"];
    answer: PublicSchemas["TransactionResponse"];
  };
  "POST /lend/v1/earn/deposit-instructions": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["EarnAmountRequest"];
    answer: PublicSchemas["InstructionsResponse"];
  };
  "POST /lend/v1/earn/withdraw": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["EarnAmountRequest"];
    answer: PublicSchemas["TransactionResponse"];
  };
  "POST /lend/v1/earn/withdraw-instructions": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["EarnAmountRequest"];
    answer: PublicSchemas["InstructionsResponse"];
  };
  "POST /lend/v1/earn/mint": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["EarnSharesRequest"];
    answer: PublicSchemas["TransactionResponse"];
  };
  "POST /lend/v1/earn/mint-instructions": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["EarnSharesRequest"];
    answer: PublicSchemas["InstructionsResponse"];
  };
  "POST /lend/v1/earn/redeem": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["EarnSharesRequest"];
    answer: PublicSchemas["TransactionResponse"];
  };
  "POST /lend/v1/earn/redeem-instructions": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["EarnSharesRequest"];
    answer: PublicSchemas["InstructionsResponse"];
  };
  "GET /lend/v1/borrow/vaults": {
    path: Record<never, never>;
    query: {
      market?: "main" | "ethena";
      rpcUrl?: string;
    };
    body: undefined;
    answer: readonly PublicSchemas["BorrowVault"][];
  };
  "GET /lend/v1/borrow/positions": {
    path: Record<never, never>;
    query: {
      users: string;
      market?: "main" | "ethena";
      page?: number;
    };
    body: undefined;
    answer: readonly PublicSchemas["BorrowPosition"][];
  };
  "POST /lend/v1/borrow/operate": {
    path: Record<never, never>;
    query: {
      market?: "main" | "ethena";
    };
    body: PublicSchemas["OperateRequest"];
    answer: PublicSchemas["OperateTransactionResponse"];
  };
  "POST /lend/v1/borrow/operate-instructions": {
    path: Record<never, never>;
    query: {
      market?: "main" | "ethena";
    };
    body: PublicSchemas["OperateRequest"];
    answer: PublicSchemas["OperateInstructionsResponse"];
  };
  "POST /trigger/v2/auth/challenge": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["TriggerChallengeRequest"];
    answer: PublicSchemas["TriggerChallenge"];
  };
  "POST /trigger/v2/auth/verify": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["TriggerVerifyRequest"];
    answer: PublicSchemas["TriggerToken"];
  };
  "GET /trigger/v2/vault": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["TriggerVault"];
  };
  "POST /trigger/v2/vault/register": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["TriggerVault"];
  };
  "GET /trigger/v2/vault/register": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["TriggerVault"];
  };
  "POST /trigger/v2/deposit/craft": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["TriggerDepositRequest"];
    answer: PublicSchemas["TriggerDeposit"];
  };
  "POST /trigger/v2/orders/price": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["TriggerPriceOrderRequest"];
    answer: PublicSchemas["TriggerOrderCreated"];
  };
  "PATCH /trigger/v2/orders/price/{id}": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: PublicSchemas["TriggerPriceOrderEdit"];
    answer: PublicSchemas["TriggerOrderEdited"];
  };
  "POST /trigger/v2/orders/price/cancel/{id}": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["TriggerWithdrawal"];
  };
  "POST /trigger/v2/orders/price/{id}/cancel": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["TriggerWithdrawal"];
  };
  "POST /trigger/v2/orders/price/confirm-cancel/{id}": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: PublicSchemas["TriggerConfirmCancelRequest"];
    answer: PublicSchemas["TriggerOrderCancelled"];
  };
  "POST /trigger/v2/orders/price/{id}/confirm-cancel": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: PublicSchemas["TriggerConfirmCancelRequest"];
    answer: PublicSchemas["TriggerOrderCancelled"];
  };
  "POST /trigger/v2/orders/dca": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["TriggerDcaOrderRequest"];
    answer: PublicSchemas["TriggerDcaOrderCreated"];
  };
  "POST /trigger/v2/orders/dca/cancel/{id}": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["TriggerDcaWithdrawal"];
  };
  "POST /trigger/v2/orders/dca/{id}/cancel": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["TriggerDcaWithdrawal"];
  };
  "POST /trigger/v2/orders/dca/confirm-cancel/{id}": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: PublicSchemas["TriggerConfirmCancelRequest"];
    answer: PublicSchemas["TriggerOrderCancelled"];
  };
  "POST /trigger/v2/orders/dca/{id}/confirm-cancel": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: PublicSchemas["TriggerConfirmCancelRequest"];
    answer: PublicSchemas["TriggerOrderCancelled"];
  };
  "GET /trigger/v2/orders/history/dca": {
    path: Record<never, never>;
    query: {
      state?: "active" | "past";
      mint?: string;
      limit?: number;
      offset?: number;
      sort?: "updated_at" | "created_at" | "next_fill_at";
      dir?: "asc" | "desc";
    };
    body: undefined;
    answer: PublicSchemas["ListTriggerDcaOrdersResponse"];
  };
  "GET /trigger/v2/orders/history/dca/{id}": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["TriggerDcaOrder"];
  };
  "GET /trigger/v2/orders/history": {
    path: Record<never, never>;
    query: {
      state?: "active" | "past";
      mint?: string;
      limit?: number;
      offset?: number;
      sort?: "updated_at" | "created_at" | "expires_at";
      dir?: "asc" | "desc";
    };
    body: undefined;
    answer: PublicSchemas["ListTriggerOrdersResponse"];
  };
  "GET /trigger/v2/orders/history/{id}": {
    path: {
      id: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["TriggerOrder"];
  };
  "POST /trigger/v1/createOrder": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["CreateLimitOrder"];
    answer: PublicSchemas["LimitOrderTransaction"];
  };
  "POST /trigger/v1/cancelOrder": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["CancelLimitOrder"];
    answer: PublicSchemas["LimitOrderCancellations"];
  };
  "POST /trigger/v1/cancelOrders": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["CancelLimitOrders"];
    answer: PublicSchemas["LimitOrderCancellations"];
  };
  "POST /trigger/v1/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ExecuteLimitOrder"];
    answer: PublicSchemas["LimitOrderExecution"];
  };
  "GET /trigger/v1/getTriggerOrders": {
    path: Record<never, never>;
    query: {
      user: string;
      orderStatus: "active" | "history";
      page?: number;
      includeFailedTx?: boolean;
      inputMint?: string;
      outputMint?: string;
    };
    body: undefined;
    answer: PublicSchemas["LimitOrders"];
  };
  "POST /recurring/v1/createOrder": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["CreateRecurringOrder"];
    answer: PublicSchemas["RecurringTransaction"];
  };
  "POST /recurring/v1/cancelOrder": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["CancelRecurringOrder"];
    answer: PublicSchemas["RecurringTransaction"];
  };
  "POST /recurring/v1/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ExecuteRecurringOrder"];
    answer: PublicSchemas["RecurringExecution"];
  };
  "GET /recurring/v1/getRecurringOrders": {
    path: Record<never, never>;
    query: {
      user: string;
      recurringType: "time" | "price" | "all";
      orderStatus: "active" | "history";
      includeFailedTx: boolean;
      page?: number;
      mint?: string;
    };
    body: undefined;
    answer: PublicSchemas["RecurringOrders"];
  };
  "POST /recurring/v1/priceDeposit": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: unknown;
    answer: PublicSchemas["RecurringTransaction"];
  };
  "POST /recurring/v1/priceWithdraw": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: unknown;
    answer: PublicSchemas["RecurringTransaction"];
  };
  "POST /send/v1/craft-send": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["CraftSend"];
    answer: PublicSchemas["CraftedSend"];
  };
  "POST /send/v1/craft-claim": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["CraftClaim"];
    answer: PublicSchemas["CraftedClaim"];
  };
  "POST /send/v1/craft-clawback": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["CraftClawback"];
    answer: PublicSchemas["CraftedClawback"];
  };
  "GET /send/v1/pending-invites": {
    path: Record<never, never>;
    query: {
      address: string;
      page?: number;
    };
    body: undefined;
    answer: PublicSchemas["Invites"];
  };
  "GET /send/v1/pending-invites/{address}": {
    path: {
      address: string;
    };
    query: {
      page?: number;
    };
    body: undefined;
    answer: PublicSchemas["Invites"];
  };
  "GET /send/v1/invite-history": {
    path: Record<never, never>;
    query: {
      address: string;
      page?: number;
    };
    body: undefined;
    answer: PublicSchemas["Invites"];
  };
  "GET /send/v1/invite-history/{address}": {
    path: {
      address: string;
    };
    query: {
      page?: number;
    };
    body: undefined;
    answer: PublicSchemas["Invites"];
  };
  "POST /studio/v1/dbc-pool/create-tx": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["CreateLaunch"];
    answer: PublicSchemas["CreatedLaunch"];
  };
  "GET /studio/v1/dbc-pool/page/{mint}": {
    path: {
      mint: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["LaunchPage"];
  };
  "GET /studio/v1/dbc-pool/curve/{mint}": {
    path: {
      mint: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["LaunchCurveState"];
  };
  "GET /studio/v1/dbc-pool/addresses/{mint}": {
    path: {
      mint: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["LaunchAddresses"];
  };
  "POST /studio/v1/dbc/fee": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["LaunchFeeRequest"];
    answer: PublicSchemas["LaunchFees"];
  };
  "POST /studio/v1/dbc/fee/create-tx": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["LaunchFeeClaim"];
    answer: PublicSchemas["LaunchFeeClaimTransaction"];
  };
  "GET /images/{mint}": {
    path: {
      mint: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "PUT /images/{mint}": {
    path: {
      mint: string;
    };
    query: {
      type: string;
      expires: string;
      uploader: string;
      signature: string;
    };
    body: undefined;
    answer: PublicSchemas["UploadedFile"];
  };
  "GET /metadata/{mint}.json": {
    path: {
      mint: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Blob;
  };
  "PUT /metadata/{mint}.json": {
    path: {
      mint: string;
    };
    query: {
      type: string;
      expires: string;
      uploader: string;
      signature: string;
    };
    body: Blob;
    answer: PublicSchemas["UploadedFile"];
  };
  "GET /headers/{mint}": {
    path: {
      mint: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: unknown;
  };
  "GET /prediction/v1/events": {
    path: Record<never, never>;
    query: {
      provider?: "polymarket" | "kalshi" | "bisonfi";
      category?: "all" | "crypto" | "sports" | "politics" | "esports" | "culture" | "economics" | "tech";
      subcategory?: string;
      filter?: "new" | "live" | "trending" | "upcoming";
      sortBy?: "volume" | "volume24hr" | "beginAt";
      sortDirection?: "asc" | "desc";
      tags?: string;
      tag?: string;
      includeMarkets?: boolean;
      includeAllMarkets?: boolean;
      start?: number;
      end?: number;
    };
    body: undefined;
    answer: PublicSchemas["PredictionEvents"];
  };
  "GET /prediction/v1/events/search": {
    path: Record<never, never>;
    query: {
      query: string;
      limit?: number;
      provider?: "polymarket" | "kalshi" | "bisonfi";
      includeMarkets?: boolean;
      includeAllMarkets?: boolean;
      start?: number;
      end?: number;
    };
    body: undefined;
    answer: PublicSchemas["PredictionEvents"];
  };
  "GET /prediction/v1/events/crypto/timed": {
    path: Record<never, never>;
    query: {
      subcategory?: string;
      tags?: "5m" | "15m";
      includeMarkets?: boolean;
      includeAllMarkets?: boolean;
      start?: number;
      end?: number;
    };
    body: undefined;
    answer: PublicSchemas["PredictionEvents"];
  };
  "GET /prediction/v1/events/suggested/{pubkey}": {
    path: {
      pubkey: string;
    };
    query: {
      provider?: "polymarket" | "kalshi" | "bisonfi";
      includeMarkets?: boolean;
      includeAllMarkets?: boolean;
    };
    body: undefined;
    answer: PublicSchemas["SuggestedPredictionEvents"];
  };
  "GET /prediction/v1/events/{eventId}": {
    path: {
      eventId: string;
    };
    query: {
      includeMarkets?: boolean;
      includeAllMarkets?: boolean;
    };
    body: undefined;
    answer: PublicSchemas["PredictionEvent"];
  };
  "GET /prediction/v1/events/{eventId}/markets": {
    path: {
      eventId: string;
    };
    query: {
      start?: number;
      end?: number;
    };
    body: undefined;
    answer: PublicSchemas["PredictionMarkets"];
  };
  "GET /prediction/v1/events/{eventId}/markets/{marketId}": {
    path: {
      eventId: string;
      marketId: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionMarket"];
  };
  "GET /prediction/v1/markets/{marketId}": {
    path: {
      marketId: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionMarket"];
  };
  "GET /prediction/v1/orderbook/{marketId}": {
    path: {
      marketId: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionOrderBook"] | null;
  };
  "GET /prediction/v1/trading-status": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionTradingStatus"];
  };
  "GET /prediction/v1/forecast": {
    path: Record<never, never>;
    query: {
      marketId: string;
    };
    body: undefined;
    answer: PublicSchemas["PredictionForecast"];
  };
  "GET /prediction/v1/orders": {
    path: Record<never, never>;
    query: {
      ownerPubkey?: string;
      owner?: string;
      userPubkey?: string;
      start?: number;
      end?: number;
    };
    body: undefined;
    answer: PublicSchemas["PredictionOrders"];
  };
  "POST /prediction/v1/orders": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["NewPredictionOrder"];
    answer: PublicSchemas["PredictionOrderBuild"];
  };
  "POST /prediction/v1/order": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["NewPredictionOrder"];
    answer: PublicSchemas["PredictionOrderBuild"];
  };
  "GET /prediction/v1/orders/status/{orderPubkey}": {
    path: {
      orderPubkey: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionOrderStatus"];
  };
  "GET /prediction/v1/orders/{orderPubkey}": {
    path: {
      orderPubkey: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionOrder"];
  };
  "POST /prediction/v1/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ExecutePrediction"];
    answer: PublicSchemas["PredictionExecution"];
  };
  "POST /prediction/v1/orders/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ExecutePrediction"];
    answer: PublicSchemas["PredictionExecution"];
  };
  "POST /prediction/v1/api/v1/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ExecutePrediction"];
    answer: PublicSchemas["PredictionExecution"];
  };
  "POST /api/v1/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ExecutePrediction"];
    answer: PublicSchemas["PredictionExecution"];
  };
  "GET /prediction/v1/positions": {
    path: Record<never, never>;
    query: {
      ownerPubkey?: string;
      owner?: string;
      userPubkey?: string;
      marketPubkey?: string;
      marketId?: string;
      isYes?: "true" | "false";
      start?: number;
      end?: number;
    };
    body: undefined;
    answer: PublicSchemas["PredictionPositions"];
  };
  "DELETE /prediction/v1/positions": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ClosePrediction"];
    answer: PublicSchemas["PredictionClosings"];
  };
  "GET /prediction/v1/positions/{positionPubkey}": {
    path: {
      positionPubkey: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionPosition"];
  };
  "DELETE /prediction/v1/positions/{positionPubkey}": {
    path: {
      positionPubkey: string;
    };
    query: Record<never, never>;
    body: PublicSchemas["ClosePrediction"];
    answer: PublicSchemas["PredictionOrderBuild"];
  };
  "POST /prediction/v1/positions/{positionPubkey}/claim": {
    path: {
      positionPubkey: string;
    };
    query: Record<never, never>;
    body: PublicSchemas["ClaimPrediction"];
    answer: PublicSchemas["PredictionClaimBuild"];
  };
  "GET /prediction/v1/history": {
    path: Record<never, never>;
    query: {
      ownerPubkey?: string;
      owner?: string;
      userPubkey?: string;
      id?: number;
      positionPubkey?: string;
      start?: number;
      end?: number;
    };
    body: undefined;
    answer: PublicSchemas["PredictionHistory"];
  };
  "GET /prediction/v1/vault-info": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionVault"];
  };
  "GET /prediction/v1/events/{eventId}/score": {
    path: {
      eventId: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionScore"] | null;
  };
  "GET /prediction/v1/events/scores": {
    path: Record<never, never>;
    query: {
      eventIds: string;
    };
    body: undefined;
    answer: PublicSchemas["PredictionScores"];
  };
  "GET /prediction/v1/profiles/{ownerPubkey}": {
    path: {
      ownerPubkey: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionProfile"];
  };
  "GET /prediction/v1/profiles/{ownerPubkey}/pnl-history": {
    path: {
      ownerPubkey: string;
    };
    query: {
      interval?: "24h" | "1w" | "1m";
      count?: number;
    };
    body: undefined;
    answer: PublicSchemas["PredictionPnlHistory"];
  };
  "GET /prediction/v1/profiles/{ownerPubkey}/positions": {
    path: {
      ownerPubkey: string;
    };
    query: {
      start?: number;
      end?: number;
    };
    body: undefined;
    answer: PublicSchemas["PredictionPositions"];
  };
  "GET /prediction/v1/leaderboards": {
    path: Record<never, never>;
    query: {
      period?: "all_time" | "weekly" | "monthly";
      metric?: "pnl" | "volume" | "win_rate";
      limit?: number;
    };
    body: undefined;
    answer: PublicSchemas["PredictionLeaderboards"];
  };
  "GET /prediction/v1/trades": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["PredictionTrades"];
  };
  "GET /portfolio/v1/positions/{address}": {
    path: {
      address: string;
    };
    query: {
      platforms?: string;
      hideSpam?: boolean;
    };
    body: undefined;
    answer: PublicSchemas["Positions"];
  };
  "GET /portfolio/v1/positions": {
    path: Record<never, never>;
    query: {
      wallet: string;
      platforms?: string;
      hideSpam?: boolean;
    };
    body: undefined;
    answer: PublicSchemas["Positions"];
  };
  "GET /portfolio/v1/positions/{address}/stream": {
    path: {
      address: string;
    };
    query: {
      platforms?: string;
      hideSpam?: boolean;
    };
    body: undefined;
    answer: unknown;
  };
  "GET /portfolio/v1/history/{address}": {
    path: {
      address: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["GetPortfolioHistoryResponse"];
  };
  "GET /portfolio/v1/platforms": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: readonly PublicSchemas["GetPlatformsResponseItem"][];
  };
  "GET /portfolio/v1/staked-jup/{address}": {
    path: {
      address: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["GetStakedJupResponse"];
  };
  "GET /portfolio/v1/staked-jup": {
    path: Record<never, never>;
    query: {
      wallet: string;
    };
    body: undefined;
    answer: PublicSchemas["GetStakedJupResponse"];
  };
  "GET /price/v3": {
    path: Record<never, never>;
    query: {
      ids: string;
    };
    body: undefined;
    answer: Readonly<Record<string, PublicSchemas["Price"]>>;
  };
  "GET /price/v3/candles": {
    path: Record<never, never>;
    query: {
      mint: string;
      interval: "1m" | "5m" | "15m" | "1h" | "4h" | "1d";
      from?: number;
      to?: number;
    };
    body: undefined;
    answer: PublicSchemas["GetCandlesResponse"];
  };
  "GET /price/v3/stream": {
    path: Record<never, never>;
    query: {
      ids: string;
    };
    body: undefined;
    answer: unknown;
  };
  "GET /price/v2": {
    path: Record<never, never>;
    query: {
      ids: string;
      vsToken?: string;
      showExtraInfo?: boolean;
    };
    body: undefined;
    answer: PublicSchemas["GetPricesV2Response"];
  };
  "GET /tokens/v2/search": {
    path: Record<never, never>;
    query: {
      query: string;
      limit?: number;
    };
    body: undefined;
    answer: readonly PublicSchemas["Token"][];
  };
  "GET /ultra/v1/search": {
    path: Record<never, never>;
    query: {
      query: string;
      limit?: number;
    };
    body: undefined;
    answer: readonly PublicSchemas["Token"][];
  };
  "GET /_datapi/v1/assets/search": {
    path: Record<never, never>;
    query: {
      query?: string;
      limit?: number;
    };
    body: undefined;
    answer: readonly PublicSchemas["Token"][];
  };
  "GET /tokens/v2/tag": {
    path: Record<never, never>;
    query: {
      query: "lst" | "verified" | "stocks";
    };
    body: undefined;
    answer: readonly PublicSchemas["Token"][];
  };
  "GET /tokens/v2/recent": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: readonly PublicSchemas["Token"][];
  };
  "GET /tokens/v2/{category}/{interval}": {
    path: {
      category: string;
      interval: string;
    };
    query: {
      limit?: number;
    };
    body: undefined;
    answer: readonly PublicSchemas["Token"][];
  };
  "GET /tokens/v2/verify/express/check-eligibility": {
    path: Record<never, never>;
    query: {
      tokenId: string;
    };
    body: undefined;
    answer: PublicSchemas["VerificationEligibility"];
  };
  "GET /tokens/v2/verify/express/craft-txn": {
    path: Record<never, never>;
    query: {
      senderAddress: string;
      paymentCurrency?: "JUP" | "SOL" | "USDC" | "JUPUSD";
    };
    body: undefined;
    answer: PublicSchemas["VerificationPayment"];
  };
  "POST /tokens/v2/verify/express/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["VerificationRequest"];
    answer: PublicSchemas["VerificationResult"];
  };
  "GET /tokens/v1/token/{mint}": {
    path: {
      mint: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["TokenV1"];
  };
  "GET /tokens/v1/market/{market}/mints": {
    path: {
      market: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: readonly string[];
  };
  "GET /tokens/v1/mints/tradable": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: readonly string[];
  };
  "GET /tokens/v1/tagged/{tag}": {
    path: {
      tag: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: readonly PublicSchemas["TokenV1"][];
  };
  "GET /tokens/v1/new": {
    path: Record<never, never>;
    query: {
      limit?: number;
      offset?: number;
    };
    body: undefined;
    answer: readonly PublicSchemas["NewTokenV1"][];
  };
  "GET /tokens/v1/all": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: readonly PublicSchemas["TokenV1"][];
  };
  "GET /ultra/v1/order/routers": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: readonly PublicSchemas["GetOrderRoutersResponseItem"][];
  };
  "GET /ultra/v1/holdings/{address}": {
    path: {
      address: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["Holdings"];
  };
  "GET /ultra/v1/holdings/{address}/native": {
    path: {
      address: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["NativeHoldings"];
  };
  "GET /ultra/v1/balances/{address}": {
    path: {
      address: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: Readonly<Record<string, PublicSchemas["GetBalancesResponseValue"]>>;
  };
  "GET /ultra/v1/shield": {
    path: Record<never, never>;
    query: {
      mints: string;
    };
    body: undefined;
    answer: PublicSchemas["GetShieldResponse"];
  };
  "GET /_datapi/v1/shield": {
    path: Record<never, never>;
    query: {
      mints: string;
    };
    body: undefined;
    answer: PublicSchemas["GetShieldResponse"];
  };
  "GET /ultra/v1/transfer/craft-native": {
    path: Record<never, never>;
    query: {
      senderAddress: string;
      receiverAddress: string;
      amount: string;
    };
    body: undefined;
    answer: PublicSchemas["CraftedTransfer"];
  };
  "GET /ultra/v1/transfer/craft-token": {
    path: Record<never, never>;
    query: {
      senderAddress: string;
      senderTokenAccountAddress: string;
      receiverAddress: string;
      receiverTokenAccountAddress?: string;
      amount: string;
      mint: string;
      tokenDecimals: string;
      tokenProgramId: string;
    };
    body: undefined;
    answer: PublicSchemas["CraftedTransfer"];
  };
  "POST /ultra/v1/transfer/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["SignedRequest"];
    answer: PublicSchemas["SignedSuccess"];
  };
  "POST /ultra/v1/reclaim/craft": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["ReclaimRequest"];
    answer: PublicSchemas["CraftedReclaim"];
  };
  "POST /ultra/v1/reclaim/execute": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["SignedRequest"];
    answer: PublicSchemas["SignedSuccess"] | PublicSchemas["SignedFailure"];
  };
  "GET /_datapi/v1/txs/users": {
    path: Record<never, never>;
    query: {
      addresses: string;
      includeCapitalSide?: boolean;
      assetId?: string;
      fromTs?: string;
      toTs?: string;
      limit?: number;
      offset?: string;
    };
    body: undefined;
    answer: PublicSchemas["GetUserTradesResponse"];
  };
  "POST /tx/v1": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["RpcRequest"];
    answer: PublicSchemas["RpcAnswer"];
  };
  "POST /tx/v1/": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["RpcRequest"];
    answer: PublicSchemas["RpcAnswer"];
  };
  "POST /tx/v1/submit": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["SubmitRequest"];
    answer: PublicSchemas["SubmitAnswer"];
  };
  "POST /swap/v2/submit": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: PublicSchemas["SubmitRequest"];
    answer: PublicSchemas["SubmitAnswer"];
  };
  "GET /tx/v1/reports/{signature}": {
    path: {
      signature: string;
    };
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["LandingReport"];
  };
  "GET /market-making/v1/orders": {
    path: Record<never, never>;
    query: {
      result?: "won" | "lost" | "filled";
      since?: number;
      until?: number;
      limit?: number;
      cursor?: string;
    };
    body: undefined;
    answer: PublicSchemas["MakerOrders"];
  };
  "GET /market-making/v1/statistics": {
    path: Record<never, never>;
    query: {
      since?: number;
      until?: number;
    };
    body: undefined;
    answer: PublicSchemas["MakerStatistics"];
  };
  "GET /market-making/v1/books": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["MakerBooks"];
  };
  "GET /market-making/v1/status": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["MakerStatus"];
  };
  "GET /healthz": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["Health"];
  };
  "GET /health": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["Health"];
  };
  "GET /readyz": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["Readiness"];
  };
  "GET /status": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["Readiness"];
  };
  "POST /studio/v1/dbc-pool/submit": {
    path: Record<never, never>;
    query: Record<never, never>;
    body: undefined;
    answer: PublicSchemas["SubmittedLaunch"];
  };
}

/** The objects of requests and answers, by their names in the document. */
export interface PublicSchemas {
  AssetAttributes: {
    /** Unix ms; -1 if it is locked for a time that is not known. */
    lockedUntil?: number;
    isDeprecated?: boolean;
    isClaimable?: boolean;
    tags?: readonly string[];
    validator?: PublicSchemas["AssetAttributesValidator"];
    prediction?: PublicSchemas["AssetAttributesPrediction"];
  };
  AssetAttributesPrediction: {
    market: PublicSchemas["AssetAttributesPredictionMarket"];
    sideName: string;
    feesPaidValue?: number;
    pnlValue?: number;
    pnlPercent?: number;
    pnlAfterFeesValue?: number;
    pnlAfterFeesPercent?: number;
    /** Unix ms. */
    createdAt?: number;
  };
  AssetAttributesPredictionMarket: {
    marketTitle: string;
    eventTitle?: string;
    /** Unix ms. */
    closeTime?: number;
    /** Unix ms. */
    resolveAt?: number;
  };
  AssetAttributesValidator: {
    /** A base58 address of 32 bytes. */
    address: string;
    yields: readonly PublicSchemas["Yield"][];
    name?: string;
    imageUri?: string;
  };
  AssetInfo: {
    address: string;
    chain_id: string;
    chainId: string;
    name: string;
    symbol: string;
    uiSymbol: string;
    decimals: number;
    logo_url: string;
    logoUrl: string;
    /** US dollars per whole token. `0` if nothing prices it. */
    price: string;
    coingecko_id: string;
    coingeckoId: string;
    /** When the price was computed. */
    updatedAt: string;
    /** What the token earns by itself, by what its stake pool rose in the last epoch; 10000 is 100 % a year. Absent if that is not known. */
    stakingApr?: number;
    /** Only for tokens whose displayed amounts are scaled. */
    scaledUiConfig?: PublicSchemas["AssetInfoScaledUiConfig"];
  };
  AssetInfoScaledUiConfig: {
    /** Who can change it. Absent if nobody can. */
    authority?: string;
    multiplier: number;
    newMultiplier: number;
    /** Unix seconds from which on the new multiplier applies. */
    newMultiplierEffectiveTimestamp: string;
  };
  BlockhashWithMetadata: {
    blockhash: readonly number[];
    lastValidBlockHeight: number;
    fetchedAt: PublicSchemas["BlockhashWithMetadataFetchedAt"];
  };
  BlockhashWithMetadataFetchedAt: {
    secs_since_epoch: number;
    nanos_since_epoch: number;
  };
  BorrowLendElement: {
    networkId: "solana";
    platformId: string;
    fetcherId: string;
    /** US dollars; null if unknown. */
    value: number | null;
    label: "Wallet" | "Staked" | "LiquidityPool" | "Farming" | "Vault" | "Lending" | "Vesting" | "Deposit" | "Rewards" | "Airdrop" | "Margin" | "LimitOrder" | "DCA" | "SmartDCA" | "Leverage";
    name?: string;
    tags?: readonly string[];
    /** A fraction. */
    netApy?: number;
    type: "borrowlend";
    data: PublicSchemas["BorrowLendElementData"];
  };
  BorrowLendElementData: {
    /** US dollars; null if unknown. */
    value: number | null;
    suppliedAssets: readonly PublicSchemas["TokenAsset"][];
    borrowedAssets: readonly PublicSchemas["TokenAsset"][];
    rewardAssets: readonly PublicSchemas["TokenAsset"][];
    unsettled?: PublicSchemas["BorrowLendElementDataUnsettled"];
    /** US dollars; null if unknown. */
    suppliedValue: number | null;
    /** US dollars; null if unknown. */
    borrowedValue: number | null;
    /** US dollars; null if unknown. */
    rewardValue: number | null;
    suppliedYields: readonly (readonly PublicSchemas["Yield"][])[];
    borrowedYields: readonly (readonly PublicSchemas["Yield"][])[];
    /** 1 is full health, 0 or less can be liquidated, null unknown. */
    healthRatio: number | null;
    /** Unix ms. */
    expireOn?: number;
    /** A base58 address of 32 bytes. */
    contract?: string;
    /** A base58 address of 32 bytes. */
    ref?: string;
    /** The accounts that the amounts were read from. */
    sourceRefs?: readonly PublicSchemas["SourceRef"][];
    link?: string;
  };
  BorrowLendElementDataUnsettled: {
    assets: readonly PublicSchemas["GenericAsset"][];
    value: number;
  };
  BorrowPosition: {
    /** The id in its vault, for `positionId` of an operation. */
    id: number;
    vaultId: number;
    /** The mint of the position's token. */
    address: string;
    /** Collateral, with interest. */
    supply: string;
    /** The same before liquidations. */
    beforeSupply: string;
    /** What the owner owes, with interest. */
    borrow: string;
    /** The same before liquidations. */
    beforeBorrow: string;
    /** Whether a part was liquidated since the position was last operated. */
    isLiquidated: boolean;
    /** Collateral that liquidations took. */
    supplyLiquidation: string;
    /** Debt that liquidations paid. */
    borrowLiquidation: string;
    /** Whether there was no debt when the position was last operated. */
    isSupplyPosition: boolean;
    /** Debt per collateral is 1.0015^tick; -2147483648 without debt, -16383 if liquidations left nothing. */
    tick: number;
    tickId: number;
    /** By how much the tick overstates the debt. The owner does not owe it. */
    dustBorrow: string;
    ownerAddress: string;
    vault: PublicSchemas["BorrowVault"];
    /** Empty. */
    config: Readonly<Record<string, string>>;
  };
  BorrowRefusal: {
    /** Begins with the name of the error if a program would refuse. */
    error: string;
    /** The number of that error. */
    code?: number;
  };
  BorrowVault: {
    /** The id in its market, for `vaultId` of an operation. */
    id: number;
    /** The account of the vault's configuration. */
    address: string;
    supplyToken: PublicSchemas["LendToken"];
    borrowToken: PublicSchemas["LendToken"];
    /** Collateral of all positions. */
    totalSupply: string;
    /** Collateral of the vault at the liquidity program. */
    totalSupplyLiquidity: string;
    /** Debt of all positions. */
    totalBorrow: string;
    /** Debt of the vault at the liquidity program. */
    totalBorrowLiquidity: string;
    /** Collateral that the vault took over from positions beyond the last limit. */
    absorbedSupply: string;
    /** Their debt. */
    absorbedBorrow: string;
    /** What the vault adds to the supply rate; 10000 is 100 % a year. */
    supplyRateMagnifier: string;
    /** What the vault adds to the borrow rate; 10000 is 100 % a year. */
    borrowRateMagnifier: string;
    /** Added to each new debt; 10000 is 100 %. */
    borrowFee: string;
    /** The most debt per collateral that an owner may take on; 1000 is 100 %. */
    collateralFactor: string;
    /** Debt per collateral from which a position can be liquidated; 1000 is 100 %. */
    liquidationThreshold: string;
    /** Debt per collateral from which the vault takes a position over; 1000 is 100 %. */
    liquidationMaxLimit: string;
    /** What liquidators get; 10000 is 100 %. */
    liquidationPenalty: string;
    /** The part of the supply that is kept for liquidations; 1000 is 100 %. */
    withdrawalGap: string;
    /** What collateral earns; 10000 is 100 % a year. */
    supplyRate: string;
    /** The same without the magnifier; 10000 is 100 % a year. */
    supplyRateLiquidity: string;
    /** What debt costs; 10000 is 100 % a year. */
    borrowRate: string;
    /** The same without the magnifier; 10000 is 100 % a year. */
    borrowRateLiquidity: string;
    /** What must stay supplied now. */
    withdrawLimit: string;
    /** What the limit and the gap let out. */
    withdrawableUntilLimit: string;
    /** What owners can withdraw together now. */
    withdrawable: string;
    /** The most that the vault may have borrowed now. */
    borrowLimit: string;
    /** What the limits allow. */
    borrowableUntilLimit: string;
    /** What owners can borrow together now. */
    borrowable: string;
    /** The most that all may borrow of the token together. */
    borrowLimitUtilization: string;
    /** The least debt that a position may have, if it has any. */
    minimumBorrowing: string;
    totalPositions: number;
    oracle: string;
    /** Whole borrow tokens per whole supply token, times 10^15. Absent while no price is usable. */
    oraclePrice?: string;
    /** The price for owners: of at most 600 seconds. */
    oraclePriceOperate?: string;
    /** The price for liquidations: of at most two hours. */
    oraclePriceLiquidate?: string;
    oracleSources: readonly PublicSchemas["OracleSource"][];
    /** Unix seconds at which the oldest feed of the price was published. */
    oracleTimestamp?: number;
    liquiditySupplyData: PublicSchemas["VaultSupplyData"];
    liquidityBorrowData: PublicSchemas["VaultBorrowData"];
    /** Further rewards in other tokens. Empty: no program of the network pays them. */
    rewards: readonly PublicSchemas["MarketReward"][];
    /** The highest tick with debt; -2147483648 if nobody has debt. */
    topTick: number;
    metadata: PublicSchemas["VaultMetadata"];
  };
  BuildResponse: {
    inputMint: string;
    outputMint: string;
    inAmount: string;
    /** What the taker receives at the present state, after the platform fee. */
    outAmount: string;
    /** The swap fails when it would pay less. */
    otherAmountThreshold: string;
    swapMode: string;
    slippageBps: number;
    /** Share of the price lost to the size of the swap, as a decimal. */
    priceImpactPct: string;
    routePlan: readonly PublicSchemas["RoutePlanStep"][];
    computeBudgetInstructions: readonly PublicSchemas["Instruction"][];
    setupInstructions: readonly PublicSchemas["Instruction"][];
    swapInstruction: PublicSchemas["Instruction"];
    cleanupInstruction: PublicSchemas["Instruction"] | null;
    otherInstructions: readonly PublicSchemas["Instruction"][];
    tipInstruction: PublicSchemas["Instruction"] | null;
    addressesByLookupTableAddress: Readonly<Record<string, readonly string[]>> | null;
    blockhashWithMetadata: PublicSchemas["BlockhashWithMetadata"];
  };
  CancelLimitOrder: {
    /** The maker of the orders, who signs and pays. */
    maker: string;
    /** `auto`, or micro-lamports for each compute unit. `auto` follows what others pay who write the same accounts. */
    computeUnitPrice?: string | number | null;
    /** The address of the order, or several with commas between them. */
    order: string;
  };
  CancelLimitOrders: {
    /** The maker of the orders, who signs and pays. */
    maker: string;
    /** `auto`, or micro-lamports for each compute unit. `auto` follows what others pay who write the same accounts. */
    computeUnitPrice?: string | number | null;
    /** The addresses of the orders, 80 at most. Default: all open orders of the maker that can be cancelled now, the oldest first. */
    orders?: string | readonly string[] | null;
    /** The same, as some clients name it. */
    order?: string | readonly string[] | null;
  };
  CancelRecurringOrder: {
    /** The address of the order. */
    order: string;
    /** Its user, who signs and pays. */
    user: string;
    /** `time`. The other kind is closed. */
    recurringType: "time" | "price";
  };
  Candle: {
    /** The Unix second at which it begins. */
    time: number;
    open: number;
    high: number;
    low: number;
    close: number;
    /** US dollars that the token was bought and sold for. Absent, as the other figures of trades, if the network does not tell of them. */
    volume?: number;
    buyVolume?: number;
    sellVolume?: number;
    trades?: number;
    /** US dollars that the token was bought for at least. Only if not all trades are known, and some are: then the figures above are absent. */
    minBuyVolume?: number;
    minSellVolume?: number;
    /** US dollars in all pools, at the end. */
    liquidity: number | null;
  };
  ChangedPositions: {
    date: number;
    owner: string;
    /** Those that have begun or ceased to fail. */
    fetcherReports: readonly unknown[];
    /** Those that are new or have changed. */
    elements: readonly unknown[];
    /** A key for each of `elements`. */
    keys: readonly string[];
    /** Keys of elements that are gone. */
    removed: readonly string[];
    /** Of the tokens of `elements`. */
    tokenInfo: unknown;
  };
  ClaimPrediction: {
    /** The wallet, which signs. */
    ownerPubkey?: string;
    /** The same as `ownerPubkey`. */
    owner?: string;
    /** The same as `ownerPubkey`. */
    userPubkey?: string;
  };
  ClosePrediction: {
    /** The wallet, which signs. */
    ownerPubkey?: string;
    /** The same as `ownerPubkey`. */
    owner?: string;
    /** The same as `ownerPubkey`. */
    userPubkey?: string;
    /** How far a sale may fall below the bid, in basis points. Default: 2500, and 200 for a forecast. */
    minSellPriceSlippageBps?: number;
  };
  CollectibleAsset: {
    networkId: "solana";
    /** US dollars; null if unknown. */
    value: number | null;
    attributes: PublicSchemas["AssetAttributes"];
    name?: string;
    imageUri?: string;
    /** A base58 address of 32 bytes. */
    ref?: string;
    /** The accounts that the amounts were read from. */
    sourceRefs?: readonly PublicSchemas["SourceRef"][];
    link?: string;
    type: "collectible";
    data: PublicSchemas["CollectibleAssetData"];
  };
  CollectibleAssetData: {
    /** A base58 address of 32 bytes. */
    address: string;
    amount: number;
    /** US dollars; null if unknown. */
    price: number | null;
    name?: string;
    description?: string;
    imageUri?: string;
    dataUri?: string;
    attributes?: readonly PublicSchemas["CollectibleAssetDataAttributesItem"][];
    collection?: PublicSchemas["CollectibleAssetDataCollection"];
  };
  CollectibleAssetDataAttributesItem: {
    trait_type?: string;
    value: unknown;
  };
  CollectibleAssetDataCollection: {
    /** A base58 address of 32 bytes. */
    id?: string;
    /** US dollars; null if unknown. */
    floorPrice: number | null;
    name?: string;
  };
  CraftClaim: {
    /** The public key of the key pair of the invite, which is derived from the code. It signs. */
    inviteSigner: string;
    /** Gets what was sent. It may be a new wallet, and signs only if it pays. */
    receiver: string;
    /** Pays the fees, and the rent of the token account of the receiver if it is missing. It signs. Default: the receiver. */
    payer?: string | null;
  };
  CraftClawback: {
    /** The account of the invite, as the lists have it in `invite_pda`. */
    invitePDA: string;
    /** The wallet that has sent it. It signs and pays. */
    sender: string;
  };
  CraftSend: {
    /** The public key of the key pair of the invite, whose seed is SHA-256 of `invite:` and the code. The code and the private key stay with the client. */
    inviteSigner: string;
    /** The wallet that sends and pays. It signs. */
    sender: string;
    /** Base units that are sent. */
    amount: string | number;
    /** The token that is sent. SOL itself is sent without one, and for wrapped SOL. */
    mint?: string | null;
  };
  CraftedClaim: {
    /** The unsigned transaction, base64. Its signers sign it as it is, and land it themselves. */
    tx: string;
    /** The same text, for clients that read it under this name. */
    transaction: string;
    /** The account of the invite. */
    invitePDA: string;
    /** Who has sent it. */
    sender: string;
    /** The token; null for SOL. */
    mint: string | null;
    /** Base units that the invite was created with. A transfer fee of the token is taken off on the way. */
    amount: string;
    /** Lamports that the payer pays in addition to what is sent: the fees of the network, and the rents of new accounts. */
    totalFeeLamports: string;
  };
  CraftedClawback: {
    /** The unsigned transaction, base64. Its signers sign it as it is, and land it themselves. */
    tx: string;
    /** The same text, for clients that read it under this name. */
    transaction: string;
  };
  CraftedReclaim: {
    transactions: readonly PublicSchemas["CraftedReclaimTransactionsItem"][];
    /** 0, or 2 if the owner has too little SOL for the fees. */
    code: number;
    /** Why there is no transaction. */
    error?: string;
    /** Lamports. What the closed accounts hold. */
    totalLamportsReclaimed: string;
    /** Lamports. The same without the fees of the network. */
    netLamportsReclaimed: string;
    /** `netLamportsReclaimed` in US dollars; absent without a price. */
    netReclaimedUsdAmount?: number;
    /** Lamports. Always 0. */
    serviceFeeLamports: string;
    /** `serviceFeeLamports` in US dollars; absent without a price. */
    serviceFeeUsdAmount?: number;
    /** Lamports. Fees of the network. */
    gasCostLamports: string;
    /** `gasCostLamports` in US dollars; absent without a price. */
    gasCostUsdAmount?: number;
    skippedMints: readonly PublicSchemas["CraftedReclaimSkippedMintsItem"][];
    /** Milliseconds. */
    totalTime: number;
    /** When the first transaction can no longer land. ISO 8601. */
    expireAt: string;
  };
  CraftedReclaimSkippedMintsItem: {
    mint: string;
    /** A word in docs/ultra.md. */
    reason: string;
  };
  CraftedReclaimTransactionsItem: {
    /** For `reclaim/execute`. */
    requestId: string;
    /** The unsigned transaction, base64. */
    transaction: string;
  };
  CraftedSend: {
    /** The unsigned transaction, base64. Its signers sign it as it is, and land it themselves. */
    tx: string;
    /** The same text, for clients that read it under this name. */
    transaction: string;
    /** Until when the invite can be claimed. ISO 8601. */
    expiry: string;
    /** Lamports that the payer pays in addition to what is sent: the fees of the network, and the rents of new accounts. */
    totalFeeLamports: string;
  };
  CraftedTransfer: {
    /** For `transfer/execute`. */
    requestId: string;
    /** The unsigned transaction, base64. */
    transaction: string;
    /** When it can no longer land, at the usual pace of blocks. ISO 8601. */
    expireAt: string;
    /** Lamports that the sender pays in addition: fees and rent. */
    feeAmount: number;
    /** The part of `feeAmount` that is rent of a new account. */
    rentAmount: number;
    /** `feeAmount` in US dollars; absent without a price. */
    feeUsdAmount?: number;
    /** Base units that arrive, after the fee of the token at present. */
    receivedAmount: string;
  };
  CreateLaunch: {
    buildCurveByMarketCapParam: PublicSchemas["LaunchCurve"];
    /** Whether the fee begins at 99 %, so that bots do not buy before everybody else. */
    antiSniping: boolean;
    fee?: PublicSchemas["LaunchFee"];
    /** Whether half of the migrated liquidity is locked for good, and the other half for a year. If not, 88 % of it is free at once, and the rest a day later, as soon as the program allows. */
    isLpLocked?: boolean;
    /** At most 32 bytes in UTF-8. */
    tokenName: string;
    /** At most 10 bytes in UTF-8. */
    tokenSymbol: string;
    /** The type of the image that is uploaded. */
    tokenImageContentType: "image/jpeg" | "image/png" | "image/gif" | "image/webp";
    /** The wallet that pays, signs and gets the share of the creator. */
    creator: string;
  };
  CreateLimitOrder: {
    /** The token that is sold. */
    inputMint: string;
    /** The token that is bought. */
    outputMint: string;
    /** The wallet that deposits and is paid. It signs. */
    maker: string;
    /** Pays fees and rents, and signs too if it is not the maker. */
    payer: string;
    params: PublicSchemas["CreateLimitOrderParams"];
    /** `auto`, or micro-lamports for each compute unit. `auto` follows what others pay who write the same accounts. */
    computeUnitPrice?: string | number | null;
    feeAccount?: string | null;
    wrapAndUnwrapSol?: boolean | null;
  };
  CreateLimitOrderParams: {
    /** Base units of the input that are sold, worth 5 US dollars at least. */
    makingAmount: string | number;
    /** Base units of the output that they are sold for, the fee included. */
    takingAmount: string | number;
    expiredAt?: string | number | null;
    slippageBps?: string | number | null;
    feeBps?: string | number | null;
  };
  CreateRecurringOrder: {
    /** The wallet that deposits, signs and pays. */
    user: string;
    /** The token that is traded away. SOL are wrapped by the transaction. */
    inputMint: string;
    /** The token that is bought. */
    outputMint: string;
    params: PublicSchemas["CreateRecurringOrderParams"];
  };
  CreateRecurringOrderParams: {
    time?: PublicSchemas["RecurringTimeParameters"] | null;
    /** The parameters of the kind of orders that is closed. It is refused. */
    price?: unknown;
  };
  CreatedLaunch: {
    /** The transaction, base64. It lacks only the signature of the creator, who signs it as it is. */
    transaction: string;
    /** The token. It is another one for each request. */
    mint: string;
    /** Takes the image by PUT, with `tokenImageContentType` as its type, for 15 minutes. */
    imagePresignedUrl: string;
    /** Takes the metadata by PUT, with the type `application/json`, for 15 minutes. */
    metadataPresignedUrl: string;
    /** Where the image is served once it is uploaded: the field `image` of the metadata. */
    imageUrl: string;
  };
  EarnAmountRequest: {
    /** Mint of the token that is deposited, not of its receipt token. */
    asset: string;
    /** The wallet that signs. Its associated token accounts are used. */
    signer: string;
    /** Base units of the token. `18446744073709551615` stands for all that the signer has. */
    amount: string;
  };
  EarnPosition: {
    token: PublicSchemas["EarnToken"];
    ownerAddress: string;
    /** Receipt tokens of the owner. */
    shares: string;
    /** What they are worth. */
    underlyingAssets: string;
    /** The owner's balance of the token itself. */
    underlyingBalance: string;
    /** Always `0`. */
    allowance: string;
  };
  EarnSharesRequest: {
    /** Mint of the token that is deposited, not of its receipt token. */
    asset: string;
    /** The wallet that signs. Its associated token accounts are used. */
    signer: string;
    /** Base units of the receipt token. `18446744073709551615` stands for all that the signer has. */
    shares: string;
  };
  EarnSupplyData: {
    modeWithInterest: boolean;
    /** What all depositors together supplied at the liquidity program, with interest. */
    supply: string;
    /** What must stay supplied now. */
    withdrawalLimit: string;
    /** Unix seconds. */
    lastUpdateTimestamp: string;
    /** 10000 is 100 %. */
    expandPercent: string;
    /** Seconds. */
    expandDuration: string;
    /** Below this supply there is no limit. */
    baseWithdrawalLimit: string;
    /** What the limit lets out. */
    withdrawableUntilLimit: string;
    /** What all depositors together can take now. */
    withdrawable: string;
  };
  EarnToken: {
    id: number;
    /** Mint of the receipt token. */
    address: string;
    name: string;
    symbol: string;
    decimals: number;
    /** Mint of the token that is deposited. */
    assetAddress: string;
    asset: PublicSchemas["AssetInfo"];
    /** What all receipt tokens are worth. */
    totalAssets: string;
    /** All receipt tokens. */
    totalSupply: string;
    /** Receipt tokens for one whole token, in base units. */
    convertToShares: string;
    /** What one whole receipt token is worth, in base units. */
    convertToAssets: string;
    /** 10000 is 100 % a year. */
    rewardsRate: string;
    /** 10000 is 100 % a year. */
    supplyRate: string;
    /** The sum of both rates. */
    totalRate: string;
    /** Base units that are supplied beyond what receipt tokens are worth; negative while rewards are still to be paid in. */
    rebalanceDifference: string;
    liquiditySupplyData: PublicSchemas["EarnSupplyData"];
    /** Further rewards in other tokens. Empty: no program of the network pays them. */
    rewards: readonly PublicSchemas["MarketReward"][];
  };
  Earnings: {
    /** Mint of the token that is deposited. */
    address: string;
    ownerAddress: string;
    /** Base units of the token that were earned since `since`. Roundings of a deposit can make it -1 at first. */
    earnings: number;
    /** The slot as of which the balance was read. */
    slot: number;
    /** What was deposited since. */
    totalDeposits: string;
    /** What was withdrawn since. */
    totalWithdraws: string;
    /** Receipt tokens now. */
    totalBalance: string;
    /** What they are worth now. */
    totalAssets: string;
    /** What the receipt tokens of that time were worth, in base units. What they earned before is unknown. Negative where receipt tokens left by transfers. */
    openingAssets: string;
    /** When the history of this position begins; null if the wallet has no account of receipt tokens and no history. */
    since: string | null;
  };
  ElementKeys: {
    /** A key for each of `elements`. */
    keys: readonly string[];
  };
  ExecuteDefect: {
    error: string;
    /** -1001: the outcome is unknown. Send the same request again. */
    code: number;
    /** The same as `code`. */
    errorCode: number;
    /** The same as `error`. */
    errorMessage: string;
  };
  ExecuteLimitOrder: {
    /** Of the transaction. */
    requestId: string;
    /** The transaction, signed and otherwise unchanged. Base64. */
    signedTransaction: string;
  };
  ExecutePrediction: {
    /** The transaction with the signature of its owner added, and otherwise unchanged. Base64. */
    signedTransaction: string;
    /** That of the build. It may be left out. */
    context?: Readonly<Record<string, unknown>>;
    /** Returned as it is. */
    requestId?: string;
  };
  ExecuteRecurringOrder: {
    /** Of the transaction. */
    requestId: string;
    /** The transaction, signed and otherwise unchanged. Base64. */
    signedTransaction: string;
  };
  ExecuteRefusal: {
    error: string;
    /** -1: no such order. -2: not a transaction, or wrongly signed. -3: not the message of the order. -4: no requestId. -5: no signedTransaction. */
    code?: number;
    /** The same as `code`. */
    errorCode?: number;
    /** The same as `error`. */
    errorMessage?: string;
    /** Why there is no such order, in a sentence. */
    details?: string;
  };
  ExecuteRequest: {
    /** Base64: the transaction of the order, with every signature that it needs. */
    signedTransaction: string;
    /** Of the order. */
    requestId: string;
    /** When given, it must be that of the order. */
    lastValidBlockHeight?: string | number | null;
  };
  ExecuteResponse: {
    status: "Success" | "Failed";
    /** Absent when the fee payer has not signed. */
    signature?: string;
    /** Where it landed; `0` when it did not, and absent while that is unknown. */
    slot?: string;
    /** 0: success. A positive code is that of the program that failed. -1000: did not land. -1001: unknown. -1002: the network refuses the transaction. -1003: not fully signed. -1004: block height. Of a swap with a maker: -2000: did not land. -2001: unknown. -2002: the network refuses it. -2003: its quote expired. -2004: it was rejected. */
    code: number;
    /** What went wrong, by name where it has one. */
    error?: string;
    /** The same as `code`, where it failed. */
    errorCode?: number;
    /** The same as `error`. */
    errorMessage?: string;
    /** What left the wallet, fees in the input token included. */
    totalInputAmount?: string;
    /** What arrived, after fees in the output token. */
    totalOutputAmount?: string;
    /** What went into the route. */
    inputAmountResult?: string;
    /** What the route paid. */
    outputAmountResult?: string;
    /** Each step of the route. */
    swapEvents?: readonly PublicSchemas["SwapEvent"][];
  };
  FailedLimitOrderExecution: {
    /** What was refused, in a few words. */
    error: string;
    /** Why, with the value that is wrong. */
    cause?: string;
    /** The status of the answer. */
    code: number;
    /** Of what was sent. */
    signature?: string;
    status?: "Failed";
  };
  FillsInState: {
    state: string;
    fills: number;
  };
  GatewayError: {
    /** The status. */
    code: number;
    /** A sentence, or a text that clients compare. */
    message: string;
    /** A sentence with the values of the request, for such a text. */
    details?: string;
  };
  GenericAsset: {
    networkId: "solana";
    /** US dollars; null if unknown. */
    value: number | null;
    attributes: PublicSchemas["AssetAttributes"];
    name?: string;
    imageUri?: string;
    /** A base58 address of 32 bytes. */
    ref?: string;
    /** The accounts that the amounts were read from. */
    sourceRefs?: readonly PublicSchemas["SourceRef"][];
    link?: string;
    type: "generic";
    data: PublicSchemas["GenericAssetData"];
  };
  GenericAssetData: {
    /** A base58 address of 32 bytes. */
    address?: string;
    amount?: number;
    price?: number;
  };
  GetBalancesResponseValue: {
    /** Base units, over all accounts of the token. */
    amount: string;
    uiAmount: number;
    /** The slot of the state that was read. */
    slot: number;
    /** Whether an account of the token is frozen. */
    isFrozen: boolean;
  };
  GetCandlesResponse: {
    mint: string;
    interval: string;
    /** Oldest first. */
    candles: readonly PublicSchemas["Candle"][];
  };
  GetOrderRoutersResponseItem: {
    id: string;
    name: string;
    /** A `data:` URI. */
    icon: string;
  };
  GetPlatformsResponseItem: {
    /** What the parameter `platforms` of the positions takes. */
    id: string;
    name: string;
    /** A URL. */
    image: string;
    description: string;
    defiLlamaId?: string;
    isDeprecated: boolean;
    /** Mints that the platform issues. */
    tokens?: readonly string[];
    tags: readonly string[];
    links: PublicSchemas["GetPlatformsResponseItemLinks"];
  };
  GetPlatformsResponseItemLinks: {
    website: string;
    documentation?: string;
    github?: string;
    twitter?: string;
    discord?: string;
    telegram?: string;
    medium?: string;
  };
  GetPortfolioHistoryResponse: {
    /** A base58 address of 32 bytes. */
    owner: string;
    /** Unix ms since when the wallet is followed; null if it is not. */
    since: number | null;
    /** Of the last 30 days, the oldest first. Hours in which a position could not be read are missing. */
    values: readonly PublicSchemas["GetPortfolioHistoryResponseValuesItem"][];
  };
  GetPortfolioHistoryResponseValuesItem: {
    /** Unix ms at which the hour began. */
    time: number;
    /** Dollars. */
    value: number;
  };
  GetPricesV2Response: {
    data: Readonly<Record<string, PublicSchemas["PriceV2"] | null>>;
    /** Seconds. */
    timeTaken: number;
  };
  GetShieldResponse: {
    warnings: Readonly<Record<string, readonly PublicSchemas["ShieldWarning"][]>>;
  };
  GetStakedJupResponse: {
    /** Whole JUP that are staked, without those that are being unstaked. */
    stakedAmount: number;
    /** The parts that are being unstaked, and when they can be withdrawn. */
    unstaking: readonly PublicSchemas["GetStakedJupResponseUnstakingItem"][];
  };
  GetStakedJupResponseUnstakingItem: {
    /** Whole JUP. */
    amount: number;
    /** Unix ms. */
    until: number;
  };
  GetUserTradesResponse: {
    userTrades: readonly PublicSchemas["UserTrade"][];
    next: string | null;
  };
  Health: {
    status: "ok";
  };
  Holdings: {
    /** Base units. */
    amount: string;
    /** As wallets display it; rounded to what a number can hold. */
    uiAmount: number;
    /** The same, with all digits. */
    uiAmountString: string;
    /** The token accounts of the wallet by mint, empty ones included. */
    tokens: Readonly<Record<string, readonly PublicSchemas["TokenAccount"][]>>;
    /** How many token accounts are left out. Absent if none are. */
    omittedAccounts?: number;
  };
  Instruction: {
    programId: string;
    accounts: readonly PublicSchemas["InstructionAccount"][];
    /** Base64. */
    data: string;
  };
  InstructionAccount: {
    pubkey: string;
    isWritable: boolean;
    isSigner: boolean;
  };
  InstructionsResponse: {
    programId: string;
    accounts: readonly PublicSchemas["LendInstructionAccount"][];
    /** Base64. */
    data: string;
    /** All instructions in order. The last one is the same as the fields beside. */
    instructions: readonly PublicSchemas["LendInstruction"][];
  };
  Invite: {
    /** The public key of the key pair of the invite. */
    invite_signer: string;
    /** The account of the invite. */
    invite_pda: string;
    /** The same, under the name that `craft-clawback` takes it by. */
    invitePDA: string;
    sender: string;
    /** Until when it can be claimed. ISO 8601. */
    expiry: string;
    /** Base units that it was created with. */
    amount: string;
    /** The token; null for SOL. */
    mint: string | null;
    /** `created` while it can be claimed, and then how it ended. */
    action: "created" | "claimed" | "clawback" | "expired";
    /** The signature with which it was created; empty if that was before anybody followed the program here. */
    creation_tx: string;
    /** ISO 8601; empty like the signature. */
    creation_time: string;
    /** The same time. */
    createdAt: string;
    /** The signature with which it ended; null while it is open, also after its expiry until it is returned. */
    deletion_tx: string | null;
    /** ISO 8601; null like the signature. */
    deletion_time: string | null;
    /** Who has claimed it; null if nobody has. */
    receiver: string | null;
    /** 1: what is listed was confirmed by the network. */
    confirmed: number;
  };
  Invites: {
    /** The newest first, 20 on a page. */
    invites: readonly PublicSchemas["Invite"][];
    /** Whether there is a later page. */
    hasMoreData: boolean;
  };
  LandingReport: {
    signature: string;
    /** The id of the first request that submitted it. */
    requestId: string;
    /** `confirmed`, `failed` (in a block with an error), `expired`, `rejected` (refused by every sender) or `unknown` (given up without an answer); null while it is under way. */
    outcome: string | null;
    /** Of the block that it is in. */
    slot: string | null;
    /** Why it failed or was rejected. */
    error: string | null;
    /** How often it was sent since it was accepted. */
    sends: number;
    /** Which node was the first to show it in its block; null if it is sent through one only, or was in a block before it was accepted. */
    firstSeenBy: string | null;
    /** Unix milliseconds at which it was accepted. */
    acceptedAt: number;
    /** Unix milliseconds at which it was first taken by a node. */
    forwardedAt: number | null;
    /** Unix milliseconds at which it was first seen in a block. */
    seenAt: number | null;
    /** Unix milliseconds at which it was confirmed. */
    confirmedAt: number | null;
    /** Unix milliseconds at which it landed or was given up. */
    endedAt: number | null;
  };
  LastLook: {
    answers: number;
    /** Milliseconds. */
    p50: number;
    /** Milliseconds. */
    p90: number;
    /** Milliseconds. */
    p95: number;
    /** Milliseconds. */
    p99: number;
    /** Milliseconds. */
    max: number;
  };
  LastLookTime: {
    /** Milliseconds from the offer to the answer; null: more than all others. */
    upToMs: number | null;
    answers: number;
  };
  LaunchAddresses: {
    success: boolean;
    data: PublicSchemas["LaunchAddressesData"];
    /** The bonding curve. */
    dbcPoolAddress: string | null;
    /** The pool of DAMM v2 that the launch has migrated to; null before. */
    dammv2PoolAddress: string | null;
    /** The configuration of the launch. */
    configKey: string | null;
  };
  LaunchAddressesData: {
    /** The bonding curve. */
    dbcPoolAddress: string | null;
    /** The pool of DAMM v2 that the launch has migrated to; null before. */
    dammv2PoolAddress: string | null;
    /** The configuration of the launch. */
    configKey: string | null;
  };
  LaunchCurve: {
    /** What the token is traded against: USDC, SOL or JUP. */
    quoteMint: string;
    /** The market capitalisation at which the curve begins, in whole quote tokens. */
    initialMarketCap: number;
    /** The one at which it is complete and migrates to a pool, in whole quote tokens. */
    migrationMarketCap: number;
    /** The decimals of the quote token. */
    tokenQuoteDecimal: 6 | 9;
    lockedVestingParam: PublicSchemas["LaunchVesting"];
  };
  LaunchCurvePoint: {
    /** Base units of the launched token that have been sold by then. */
    sold: string;
    /** Base units of the quote token that have been paid for them, without fees. */
    raised: string;
    /** Base units of the quote token for one whole launched token, with a fraction. */
    price: string;
  };
  LaunchCurveState: {
    mint: string;
    /** The bonding curve. */
    poolAddress: string;
    /** What the token is traded against. */
    quoteMint: string;
    /** The decimals of the launched token. */
    tokenDecimal: number;
    /** Base units of the quote token that have been raised when the curve is complete. */
    target: string;
    /** Whether that much has been raised. The curve then trades no more. */
    isComplete: boolean;
    /** Whether the liquidity has moved to another pool. */
    isMigrated: boolean;
    /** Where the curve is now. */
    now: PublicSchemas["LaunchCurveStateNow"];
    /** The curve from its start to its completion, with the bends between its parts: some fifty points. */
    points: readonly PublicSchemas["LaunchCurvePoint"][];
  };
  LaunchCurveStateNow: {
    /** Base units of the launched token that have been sold by then. */
    sold: string;
    /** Base units of the quote token that have been paid for them, without fees. */
    raised: string;
    /** Base units of the quote token for one whole launched token, with a fraction. */
    price: string;
  };
  LaunchFee: {
    /** The trading fee in basis points, or what it falls to. */
    feeBps: 100 | 200;
    /** Seconds in which the fee falls: from 99 % with `antiSniping`, and from 50 % without. Absent: with `antiSniping` it falls by a percent every 1 to 3 seconds, at random, and without it never. */
    totalDuration?: 60 | 120 | 180 | 240 | 300;
    /** How it falls. Default: `linear`. */
    baseFeeMode?: "linear" | "exponential";
  };
  LaunchFeeClaim: {
    /** The creator of the launch. It signs and pays. */
    ownerWallet: string;
    /** The bonding curve, `dbcPoolAddress` of the addresses of a launch. It is not the mint. */
    poolAddress: string;
    /** The most that is claimed, in base units of the quote token. Default: everything. */
    maxQuoteAmount?: number;
  };
  LaunchFeeClaimTransaction: {
    /** The unsigned transaction, base64. The creator signs it as it is, and lands it. */
    transaction: string;
  };
  LaunchFeeRequest: {
    /** The bonding curve, `dbcPoolAddress` of the addresses of a launch. It is not the mint. */
    poolAddress: string;
  };
  LaunchFees: {
    /** What the creator can claim now, in base units of the quote token. */
    unclaimed: string;
    /** The creator's share of all fees since the launch, claimed or not: half of what trades have paid. The protocol's part is not counted. */
    total: string;
  };
  LaunchPage: {
    mint: string;
    /** The configuration of the curve. */
    configKey: string;
    /** The creator. */
    owner: string;
    /** The text of the page, as the creator has sent it: show it as text. */
    content: string | null;
    /** The URL of the header image. */
    headerImage: string | null;
  };
  LaunchVesting: {
    /** Whole tokens that are locked, at most 80 % of the supply of 1,000,000,000. 0: none. */
    totalLockedVestingAmount: number;
    /** How many of them unlock when the cliff is over. */
    cliffUnlockAmount: number;
    /** In how many equal parts the rest unlocks. */
    numberOfVestingPeriod: 0 | 6 | 12 | 183 | 365;
    /** Seconds of all these periods together. */
    totalVestingDuration: 0 | 15552000 | 15811200 | 31536000;
    /** Seconds of the cliff, from the migration. */
    cliffDurationFromMigrationTime: 0 | 15552000 | 15811200 | 31536000;
  };
  LendInstruction: {
    programId: string;
    accounts: readonly PublicSchemas["LendInstructionAccount"][];
    /** Base64. */
    data: string;
  };
  LendInstructionAccount: {
    pubkey: string;
    isSigner: boolean;
    isWritable: boolean;
  };
  LendToken: {
    address: string;
    chainId: string;
    name: string;
    symbol: string;
    uiSymbol: string;
    decimals: number;
    /** US dollars per whole token. `0` if nothing prices it. */
    price: string;
    logoUrl?: string;
    coingeckoId?: string;
    /** When the price was computed. */
    updatedAt: string;
    /** What the token earns by itself, by what its stake pool rose in the last epoch; 10000 is 100 % a year. Absent if that is not known. */
    stakingApr?: number;
    /** Only for tokens whose displayed amounts are scaled. */
    scaledUiConfig?: PublicSchemas["AssetInfoScaledUiConfig"];
    /** The vote account of the validator with which the SOL behind the token is staked. Only for tokens of single-validator pools. */
    nativeStakeVoteAccount?: string;
  };
  LeverageElement: {
    networkId: "solana";
    platformId: string;
    fetcherId: string;
    /** US dollars; null if unknown. */
    value: number | null;
    label: "Wallet" | "Staked" | "LiquidityPool" | "Farming" | "Vault" | "Lending" | "Vesting" | "Deposit" | "Rewards" | "Airdrop" | "Margin" | "LimitOrder" | "DCA" | "SmartDCA" | "Leverage";
    name?: string;
    tags?: readonly string[];
    /** A fraction. */
    netApy?: number;
    type: "leverage";
    data: PublicSchemas["LeverageElementData"];
  };
  LeverageElementData: {
    isolated?: PublicSchemas["LeverageElementDataIsolated"];
    cross?: PublicSchemas["LeverageElementDataCross"];
    /** US dollars; null if unknown. */
    value: number | null;
    /** A base58 address of 32 bytes. */
    contract?: string;
    /** A base58 address of 32 bytes. */
    ref?: string;
    /** The accounts that the amounts were read from. */
    sourceRefs?: readonly PublicSchemas["SourceRef"][];
    link?: string;
  };
  LeverageElementDataCross: {
    leverage?: number;
    collateralAssets?: readonly PublicSchemas["TokenAsset"][];
    /** US dollars; null if unknown. */
    collateralValue: number | null;
    positions: readonly PublicSchemas["LeverageElementDataCrossPositionsItem"][];
    /** US dollars; null if unknown. */
    value: number | null;
  };
  LeverageElementDataCrossPositionsItem: {
    /** A base58 address of 32 bytes. */
    address?: string;
    name?: string;
    imageUri?: string;
    side: "long" | "short";
    entryPrice: number;
    /** US dollars; null if unknown. */
    markPrice: number | null;
    size: number;
    sizeValue: number;
    /** US dollars; null if unknown. */
    pnlValue: number | null;
    liquidationPrice: number;
    leverage?: number;
    tp?: number;
    sl?: number;
    /** US dollars; null if unknown. */
    value: number | null;
    /** A base58 address of 32 bytes. */
    ref?: string;
    /** The accounts that the amounts were read from. */
    sourceRefs?: readonly PublicSchemas["SourceRef"][];
  };
  LeverageElementDataIsolated: {
    positions: readonly PublicSchemas["LeverageElementDataIsolatedPositionsItem"][];
    /** US dollars; null if unknown. */
    value: number | null;
  };
  LeverageElementDataIsolatedPositionsItem: {
    collateralValue: number;
    /** A base58 address of 32 bytes. */
    address?: string;
    name?: string;
    imageUri?: string;
    side: "long" | "short";
    entryPrice: number;
    /** US dollars; null if unknown. */
    markPrice: number | null;
    size: number;
    sizeValue: number;
    /** US dollars; null if unknown. */
    pnlValue: number | null;
    liquidationPrice: number;
    leverage?: number;
    tp?: number;
    sl?: number;
    /** US dollars; null if unknown. */
    value: number | null;
    /** A base58 address of 32 bytes. */
    ref?: string;
    /** The accounts that the amounts were read from. */
    sourceRefs?: readonly PublicSchemas["SourceRef"][];
  };
  LimitOrder: {
    /** The maker. */
    userPubkey: string;
    /** The address of the order. */
    orderKey: string;
    inputMint: string;
    outputMint: string;
    /** What the order sells. In whole tokens. */
    makingAmount: string;
    /** What it is sold for. In whole tokens. */
    takingAmount: string;
    /** What is not sold yet. In whole tokens. */
    remainingMakingAmount: string;
    /** What is not paid yet. In whole tokens. */
    remainingTakingAmount: string;
    /** The same in base units. */
    rawMakingAmount: string;
    /** The same in base units. */
    rawTakingAmount: string;
    /** The same in base units. */
    rawRemainingMakingAmount: string;
    /** The same in base units. */
    rawRemainingTakingAmount: string;
    /** Basis points that a fill may pay less than the price. */
    slippageBps: string;
    /** When it expires, in ISO 8601. Null for never. */
    expiredAt: string | null;
    /** ISO 8601. */
    createdAt: string;
    /** When it last changed. ISO 8601. */
    updatedAt: string;
    /** An open order with trades is filled in part. */
    status: "Open" | "Completed" | "Cancelled";
    /** The signature with which it was placed; empty if that was before anybody followed the program here. */
    openTx: string;
    /** The signature with which it ended; empty while it is open. */
    closeTx: string;
    /** The address of the program. */
    programVersion: string;
    /** The newest first. */
    trades: readonly PublicSchemas["ProgramOrderTrade"][];
  };
  LimitOrderCancellations: {
    /** For `execute`, with each of the transactions, one after the other. */
    requestId: string;
    /** The first of them. */
    transaction: string;
    /** Unsigned, base64. Each cancels five orders at most. */
    transactions: readonly string[];
    /** 0 */
    code: number;
  };
  LimitOrderError: {
    /** What was refused, in a few words. */
    error: string;
    /** Why, with the value that is wrong. */
    cause?: string;
    /** The status of the answer. */
    code: number;
  };
  LimitOrderExecution: {
    signature: string;
    status: "Success";
    /** 0 */
    code: number;
    /** The order that was placed, or the first that was cancelled. */
    order?: string;
  };
  LimitOrderTransaction: {
    /** For `execute`. It belongs to this transaction alone. */
    requestId: string;
    /** The unsigned transaction, base64. */
    transaction: string;
    /** The address of the order that it places. */
    order: string;
    /** 0 */
    code: number;
  };
  LimitOrders: {
    user: string;
    orderStatus: "active" | "history";
    /** Of open orders, the newest first. Of others, those that ended last first. */
    orders: readonly PublicSchemas["LimitOrder"][];
    /** At least 1. A page beyond the last one is empty. */
    totalPages: number;
    page: number;
  };
  LiquidityElement: {
    networkId: "solana";
    platformId: string;
    fetcherId: string;
    /** US dollars; null if unknown. */
    value: number | null;
    label: "Wallet" | "Staked" | "LiquidityPool" | "Farming" | "Vault" | "Lending" | "Vesting" | "Deposit" | "Rewards" | "Airdrop" | "Margin" | "LimitOrder" | "DCA" | "SmartDCA" | "Leverage";
    name?: string;
    tags?: readonly string[];
    /** A fraction. */
    netApy?: number;
    type: "liquidity";
    data: PublicSchemas["LiquidityElementData"];
  };
  LiquidityElementData: {
    liquidities: readonly PublicSchemas["LiquidityElementDataLiquiditiesItem"][];
  };
  LiquidityElementDataLiquiditiesItem: {
    assets: readonly PublicSchemas["TokenAsset"][];
    assetsValue: number;
    rewardAssets: readonly PublicSchemas["TokenAsset"][];
    rewardAssetsValue: number;
    value: number;
    yields: readonly PublicSchemas["Yield"][];
    lp?: PublicSchemas["LiquidityElementDataLiquiditiesItemLp"];
    name?: string;
    /** A base58 address of 32 bytes. */
    contract?: string;
    /** A base58 address of 32 bytes. */
    ref?: string;
    /** The accounts that the amounts were read from. */
    sourceRefs?: readonly PublicSchemas["SourceRef"][];
    link?: string;
  };
  LiquidityElementDataLiquiditiesItemLp: {
    /** A base58 address of 32 bytes. */
    mint: string;
    amount: number;
  };
  ListTriggerDcaOrdersResponse: {
    orders: readonly PublicSchemas["TriggerDcaOrder"][];
    pagination: PublicSchemas["ListTriggerDcaOrdersResponsePagination"];
  };
  ListTriggerDcaOrdersResponsePagination: {
    /** Orders on all pages. */
    total: number;
    limit: number;
    offset: number;
  };
  ListTriggerOrdersResponse: {
    orders: readonly PublicSchemas["TriggerOrder"][];
    pagination: PublicSchemas["ListTriggerDcaOrdersResponsePagination"];
  };
  LostOrders: {
    /** One of price, volume, balance, unusable, no-quote, late, invalid, failed, not-asked. */
    reason: string;
    orders: number;
  };
  MakerBook: {
    base: PublicSchemas["MakerBookToken"];
    quote: PublicSchemas["MakerBookToken"];
    /** What the maker pays for base, highest price first. */
    bids: readonly PublicSchemas["MakerBookLevel"][];
    /** What the maker asks for base, lowest price first. */
    asks: readonly PublicSchemas["MakerBookLevel"][];
    /** What swaps under way reserve of the inventory of the maker. */
    reserved: PublicSchemas["MakerBookReserved"];
    /** Of the snapshot, a u64. */
    sequenceNumber: string;
    /** Atoms of `base` in a lot, as the maker streams it, in decimal digits. */
    lotSizeBase: string;
    /** Unix milliseconds at which the snapshot came. */
    receivedAt: number;
    /** Milliseconds since then. */
    ageMs: number;
    /** Unix milliseconds from which on the book is not used. */
    expiresAt: number;
    /** Whether takers can buy at its best ask and sell at its higher best bid. */
    isCrossed: boolean;
    /** Why it is not used for orders now; null: it is. */
    notUsed: string | null;
  };
  MakerBookLevel: {
    /** Atoms of `quote` for one whole token of `base`, in decimal digits. */
    price: string;
    /** Atoms of `base`, in decimal digits. */
    volume: string;
    /** Of them, the atoms that no swap under way reserves, in decimal digits. */
    free: string;
  };
  MakerBookReserved: {
    /** Atoms of `base`, in decimal digits. */
    base: string;
    /** Atoms of `quote`, in decimal digits. */
    quote: string;
  };
  MakerBookToken: {
    mint: string;
    decimals: number;
    /** What the maker streams, which may be any text. */
    symbol: string;
  };
  MakerBooks: {
    /** The id of the maker. */
    maker: string;
    /** Unix milliseconds of this answer, by the clock of the times below. */
    at: number;
    /** Why no book of the maker is used now; null: its books are. */
    notUsed: string | null;
    /** Why its last snapshot or book is not in the market; null: it is, or this instance has seen none. */
    lastProblem: string | null;
    /** How many books it has in the market. */
    total: number;
    /** At most 200, the most recently received first. A book has the levels that the balance of the maker covers, at most 5 on each side. */
    books: readonly PublicSchemas["MakerBook"][];
  };
  MakerBreaker: {
    /** `off`: no missed swap suspends the maker. `closed`: it trades. `suspended`: its missed swaps took it out of the market. */
    state: "off" | "closed" | "suspended";
    /** Swaps within the window since the last suspension. */
    swaps: number;
    /** Those of them that were filled. */
    filled: number;
    /** How many swaps in a row, missed from now on, bring the fill rate below the threshold; null: none do, or it is suspended. */
    missesLeft: number | null;
    /** Milliseconds: older swaps do not count. */
    windowMs: number;
    /** With fewer swaps in the window, the fill rate is not judged. */
    minimumSwaps: number;
    /** A fill rate below it counts as too low. */
    thresholdPercent: number;
    /** How long a suspension lasts. */
    suspensionMs: number;
    suspendedUntil: number | null;
  };
  MakerFill: {
    /** `confirmed`, `failed` (on chain), `expired` (it never landed) or `rejected` (another message was returned); `offered` before. */
    state: string;
    /** The wallet that swaps. */
    taker: string | null;
    /** Unix milliseconds at which the fill was offered. */
    offeredAt: number | null;
    /** Unix milliseconds at which your answer came; null without one. */
    answeredAt: number | null;
    /** Milliseconds from the offer to your answer. */
    lastLookMs: number | null;
    /** `signed` by a stream; `accepted`, `rejected` or `unanswered` by a webhook. */
    answer: string | null;
    /** Unix milliseconds; null before the end. */
    endedAt: number | null;
    /** A sentence; null if the fill was made. */
    failure: string | null;
    /** Of the transaction. */
    signature: string | null;
    /** What your accounts paid; null unless it landed. */
    paid: PublicSchemas["MakerFillAmount"] | null;
    /** What your accounts received; null unless it landed. */
    received: PublicSchemas["MakerFillAmount"] | null;
    /** Millionths of a US dollar; null if no pool prices it. */
    microDollars: string | null;
  };
  MakerFillAmount: {
    mint: string;
    /** In decimal digits. */
    atoms: string;
  };
  MakerInterval: {
    /** Unix milliseconds of its beginning. */
    at: number;
    considered: number;
    won: number;
    /** Fills of these orders that it was offered. */
    offered: number;
    /** Those of them that landed. */
    filled: number;
  };
  MakerOrder: {
    /** The id of the order, which you saw with a question by webhook. */
    requestId: string;
    /** Unix milliseconds at which the order was given out. */
    at: number;
    /** `stream` or `webhook`: how you quoted it. */
    channel: string | null;
    /** What the taker sells. */
    inputMint: string | null;
    /** What the taker buys. */
    outputMint: string | null;
    /** Atoms of your own quote by webhook, in decimal digits. */
    quotedIn: string | null;
    /** Atoms of your own quote by webhook, in decimal digits. */
    quotedOut: string | null;
    result: "won" | "lost";
    /** Why it was lost: price, volume, balance, unusable, no-quote, late, invalid, failed, not-asked. */
    reason: string | null;
    /** A sentence about your own quote or answer. */
    detail: string | null;
    /** Null until the taker executes the order. */
    fill: PublicSchemas["MakerFill"] | null;
  };
  MakerOrders: {
    /** Newest first. */
    orders: readonly PublicSchemas["MakerOrder"][];
    /** Cursor of the next page; null: there is none. */
    next: string | null;
  };
  MakerRefusal: {
    error: string;
  };
  MakerStatistics: {
    /** The id of the maker. */
    maker: string;
    /** Unix milliseconds. */
    since: number;
    /** Unix milliseconds. */
    until: number;
    /** False: only the newest 20000 orders of the range were added up; ask for a shorter one. */
    isComplete: boolean;
    /** Orders for which it was considered. */
    considered: number;
    won: number;
    lost: readonly PublicSchemas["LostOrders"][];
    /** Orders lost by the price, by how much better the order was for the taker, before fees, each class without the ones before. 0: the price was not worse, so the costs of the network or the room in the transaction decided. */
    behind: readonly PublicSchemas["OrdersBehind"][];
    /** Orders lost by the price of which that is not known. */
    behindUnknown: number;
    /** Orders lost by the price, by who was better: `pools` without a maker, or another maker, by its `stream` or its `webhook`. */
    lostTo: readonly PublicSchemas["OrdersLostTo"][];
    /** States as in `GET /market-making/v1/orders`. */
    fills: readonly PublicSchemas["FillsInState"][];
    /** From the offer to the answer; null without an answer. */
    lastLook: PublicSchemas["LastLook"] | null;
    /** Answers by the time from the offer, each class without the ones before. */
    lastLookTimes: readonly PublicSchemas["LastLookTime"][];
    /** Offered fills by the answer: `signed` by a stream; `accepted` or `rejected` by a webhook; `unanswered` at the end; `tampered`: another message was returned. */
    answers: PublicSchemas["MakerStatisticsAnswers"];
    /** Milliseconds of each interval of `overTime`. */
    interval: number;
    /** Intervals by when orders were given out, without those in which there were none, oldest first. */
    overTime: readonly PublicSchemas["MakerInterval"][];
    /** Of the fills that landed; at most 256 mints on each side. */
    volume: readonly PublicSchemas["MintVolume"][];
    /** Their value in millionths of a US dollar. */
    microDollars: string;
  };
  MakerStatisticsAnswers: {
    signed: number;
    accepted: number;
    rejected: number;
    unanswered: number;
    tampered: number;
  };
  MakerStatus: {
    /** The id of the maker. */
    maker: string;
    /** What the operator calls it; null: it has no name. */
    name: string | null;
    /** Signs fills and owns the inventory, base58. */
    address: string;
    /** Pairs that it may quote, each `BASE/QUOTE` by their mints; null: every pair. */
    pairs: readonly string[] | null;
    status: "prod" | "offline" | "suspended";
    /** Why it may not quote, even if its swap stream is live; null: it may. */
    blockedBy: string | null;
    /** Why it gets no orders now, over its streams or by its webhook; null: it can get some. */
    noOrders: string | null;
    /** Whether its swap stream is live; null: the instance that knows does not answer. */
    connected: boolean | null;
    /** Whether it returned a modified swap and has not been reinstated since. */
    tampered: boolean;
    /** The sequence number of the last accepted snapshot, a u64. */
    lastSequenceNumber: string;
    breaker: PublicSchemas["MakerBreaker"];
    /** Null without a webhook. Below the threshold, it is off until the operator enables it. */
    webhookBreaker: PublicSchemas["MakerWebhookBreaker"] | null;
    /** The last changes of its status, at most 50, newest first. */
    changes: readonly PublicSchemas["MakerStatusChange"][];
  };
  MakerStatusChange: {
    /** Unix milliseconds. */
    at: number;
    from: "prod" | "offline" | "suspended";
    to: "prod" | "offline" | "suspended";
    /** Why the status changed, as a sentence. */
    cause: string;
  };
  MakerWebhookBreaker: {
    /** `off`: no missed swap suspends the maker. `closed`: it trades. `suspended`: its missed swaps took it out of the market. */
    state: "off" | "closed" | "suspended";
    /** Swaps within the window since the last suspension. */
    swaps: number;
    /** Those of them that were filled. */
    filled: number;
    /** How many swaps in a row, missed from now on, bring the fill rate below the threshold; null: none do, or it is suspended. */
    missesLeft: number | null;
    /** Milliseconds: older swaps do not count. */
    windowMs: number;
    /** With fewer swaps in the window, the fill rate is not judged. */
    minimumSwaps: number;
    /** A fill rate below it counts as too low. */
    thresholdPercent: number;
    /** How long it is not asked after its first missed swap, its second, and so on; filled swaps make up for missed ones. */
    suspensionsMs: readonly number[];
    suspendedUntil: number | null;
  };
  MarketReward: {
    rewardToken: PublicSchemas["LendToken"];
    type: "merkle";
    side: "supply" | "borrow";
    apr: string;
    metadata: Readonly<Record<string, unknown>>;
  };
  MintVolume: {
    mint: string;
    /** Atoms, in decimal digits. */
    paid: string;
    /** Atoms, in decimal digits. */
    received: string;
  };
  MissedTrades: {
    trades: number;
  };
  MultipleElement: {
    networkId: "solana";
    platformId: string;
    fetcherId: string;
    /** US dollars; null if unknown. */
    value: number | null;
    label: "Wallet" | "Staked" | "LiquidityPool" | "Farming" | "Vault" | "Lending" | "Vesting" | "Deposit" | "Rewards" | "Airdrop" | "Margin" | "LimitOrder" | "DCA" | "SmartDCA" | "Leverage";
    name?: string;
    tags?: readonly string[];
    /** A fraction. */
    netApy?: number;
    type: "multiple";
    data: PublicSchemas["MultipleElementData"];
  };
  MultipleElementData: {
    assets: readonly (PublicSchemas["TokenAsset"] | PublicSchemas["GenericAsset"] | PublicSchemas["CollectibleAsset"])[];
    /** As long as the assets, or empty. */
    assetsYields?: readonly (readonly PublicSchemas["Yield"][])[];
    /** A base58 address of 32 bytes. */
    ref?: string;
    /** The accounts that the amounts were read from. */
    sourceRefs?: readonly PublicSchemas["SourceRef"][];
    link?: string;
  };
  NativeHoldings: {
    /** Base units. */
    amount: string;
    /** As wallets display it; rounded to what a number can hold. */
    uiAmount: number;
    /** The same, with all digits. */
    uiAmountString: string;
  };
  NewPredictionOrder: {
    /** The wallet, which signs. */
    ownerPubkey?: string;
    /** The same as `ownerPubkey`. */
    owner?: string;
    /** The same as `ownerPubkey`. */
    userPubkey?: string;
    /** Whether contracts are bought or sold. */
    isBuy: boolean;
    /** The side. A sale may leave it to its position, and a forecast has it in its market. */
    isYes?: boolean;
    /** Required for a purchase. */
    marketId?: string;
    /** The position of a sale; or `marketId` and `isYes` name it. */
    positionPubkey?: string;
    /** What a purchase takes, in base units of `depositMint`: at least 5.00, and at most 250.00 for a forecast. */
    depositAmount?: string | number;
    /** USDC, which is the default, or JupUSD. A forecast takes USDC alone. */
    depositMint?: string;
    /** Whole contracts of a sale. It has exactly one of three forms. A purchase takes its deposit. */
    contracts?: string | number;
    /** The same in millionths of a contract. */
    contractsMicro?: string | number;
    /** The same with a fraction. */
    contractsDecimal?: string | number;
    /** The highest price of a purchase, in micro USD. The order waits for it until the market closes or its time is over. Default: the order takes what is offered now. A forecast has none. */
    maxBuyPriceUsd?: string | number;
    /** The lowest price of a sale, in the same way. */
    minSellPriceUsd?: string | number;
    /** Accepted, and without effect. */
    skipSigning?: boolean;
  };
  NewTokenV1: {
    mint: string;
    name: string;
    symbol: string;
    decimals: number;
    /** The URL of an image. */
    logo_uri?: string;
    /** The first pool. */
    known_markets: readonly string[];
    /** ISO 8601. */
    created_at: string;
    /** When the metadata was read. ISO 8601. */
    metadata_updated_at: string;
    /** Who can freeze accounts of the token. */
    freeze_authority?: string;
    /** Who can mint more. */
    mint_authority?: string;
  };
  OperateInstructionsResponse: {
    /** The id of the position. That of a new one can be taken by another transaction that lands before. */
    nftId: number;
    /** In order, without a compute budget. The last one is the operation. */
    instructions: readonly PublicSchemas["LendInstruction"][];
    addressLookupTableAddresses: readonly string[];
  };
  OperateRequest: {
    /** The market's id of the vault. */
    vaultId: number;
    /** The id of the position in its vault; 0 creates one. */
    positionId: number;
    /** The wallet that holds the position. Default: `signer`, whose every new position is. */
    positionOwner?: string;
    /** The wallet that signs, pays and receives. Only the owner may withdraw and borrow. */
    signer: string;
    /** Base units to deposit, or to withdraw if negative. `-170141183460469231731687303715884105728` stands for all of it. */
    colAmount: string;
    /** Base units to borrow, or to repay if negative. `-170141183460469231731687303715884105728` stands for all of it. */
    debtAmount: string;
    /** As in the query, which wins. */
    market?: string;
  };
  OperateTransactionResponse: {
    /** The id of the position. That of a new one can be taken by another transaction that lands before. */
    nftId: number;
    /** Base64 of the unsigned transaction, in version 0. */
    transaction: string;
  };
  OracleSource: {
    source: string;
    invert: boolean;
    multiplier: string;
    divisor: string;
    /** An object with one key, the kind of the source. */
    sourceType: Readonly<Record<string, unknown>>;
  };
  OrderRefusal: {
    requestId?: string;
    error: string;
    /** What led to the refusal, where `error` is a text that clients compare. */
    details?: string;
  };
  OrderResponse: {
    /** `manual` when anything was asked for beyond the swap itself. */
    mode: "ultra" | "manual";
    inputMint: string;
    outputMint: string;
    inAmount: string;
    /** What is received at the present state, after the fee. */
    outAmount: string;
    /** US dollars; absent when no pool tells. */
    inUsdValue?: number;
    outUsdValue?: number;
    swapUsdValue?: number;
    /** 100 times `priceImpactPct`: what the swap gains over its input in percent; a loss is negative. */
    priceImpact: number;
    /** `outUsdValue / inUsdValue - 1`: -0.01 is one percent lost. @deprecated */
    priceImpactPct: string;
    /** The swap fails when it would pay less. */
    otherAmountThreshold: string;
    swapMode: string;
    slippageBps: number;
    routePlan: readonly PublicSchemas["OrderRoutePlanStep"][];
    referralAccount?: string;
    /** What a fee is collected in. */
    feeMint: string;
    /** All that is collected, in basis points: the platform fee and what pays a sponsor back. A referrer without a token account for `feeMint` gets nothing. */
    feeBps: number;
    platformFee: PublicSchemas["OrderResponsePlatformFee"];
    /** 0 where a maker lands the swap and pays for it. */
    signatureFeeLamports: number;
    /** Who pays for the signatures; null without a taker. */
    signatureFeePayer: string | null;
    /** The price times the limit of compute units, rounded down, and the tip. The network rounds up. */
    prioritizationFeeLamports: number;
    /** Who pays the priority fee and tip; null without a taker. */
    prioritizationFeePayer: string | null;
    /** Rent of accounts that are created and stay. */
    rentFeeLamports: number;
    /** Who pays rent; null without a taker. */
    rentFeePayer: string | null;
    /** Whether another wallet than the taker pays. */
    gasless: boolean;
    /** @deprecated */
    swapType: "aggregator" | "rfq" | "aggregator+rfq" | "dflow" | "okx";
    router: "metis" | "jupiterz" | "dflow" | "okx";
    /** Base64, unsigned. Null without a taker; empty when it cannot be made, see `errorCode`. */
    transaction: string | null;
    lastValidBlockHeight?: string;
    /** Identifies the quote of a swap with a maker: the same as `requestId`. */
    quoteId?: string;
    /** The maker that signs too, where one takes part. */
    maker?: string;
    /** The last Unix second in which a swap with a maker can land: the number in its fill. `/execute` must have it 20 seconds earlier. */
    expireAt?: string;
    /** For `/execute`. */
    requestId: string;
    /** Milliseconds. */
    totalTime: number;
    taker: string | null;
    /** 1: too little of the input token; 2: too little SOL for gas; 3: too small to be sponsored. Of `jupiterz`, 1 stands for too little of anything that the taker pays, 2 for no account of the input token, and 3 for a transaction that would fail otherwise. */
    errorCode?: number;
    errorMessage?: string;
    /** The same as `errorMessage`. */
    error?: string;
    /** Who lacks how much of what, or why the transaction would fail, in a sentence. */
    details?: string;
  };
  OrderResponsePlatformFee: {
    amount: string;
    feeBps: number;
    feeMint: string;
  };
  OrderRoutePlanStep: {
    swapInfo: PublicSchemas["OrderRoutePlanStepSwapInfo"];
    /** `bps` in whole percents; those of one token add up to 100. */
    percent: number;
    /** Share of the input token that the step takes; 10000 is the whole. */
    bps: number;
    /** US dollars that the step takes. */
    usdValue?: number;
  };
  OrderRoutePlanStepSwapInfo: {
    ammKey: string;
    label: string;
    inputMint: string;
    outputMint: string;
    inAmount: string;
    outAmount: string;
    /** Atoms that the pool keeps. @deprecated */
    feeAmount: string;
    /** @deprecated */
    feeMint: string;
  };
  OrdersBehind: {
    /** Basis points of the order that won; null: more than all others. */
    upToBps: number | null;
    orders: number;
  };
  OrdersLostTo: {
    winner: "pools" | "stream" | "webhook";
    orders: number;
  };
  PaidPriorityFee: {
    computeBudget: PublicSchemas["PaidPriorityFeeComputeBudget"];
  };
  PaidPriorityFeeComputeBudget: {
    /** Price per compute unit. */
    microLamports: number;
    /** What recent transactions pay. */
    estimatedMicroLamports: number;
  };
  PaidTip: {
    jito: PublicSchemas["PaidTipJito"];
  };
  PaidTipJito: {
    /** The tip. */
    lamports: number;
  };
  Positions: {
    /** Unix ms. */
    date: number;
    /** A base58 address of 32 bytes. */
    owner: string;
    /** Milliseconds that the whole answer took. */
    duration: number;
    /** One for each kind of positions that was asked for. */
    fetcherReports: readonly PublicSchemas["PositionsFetcherReportsItem"][];
    /** By value, the largest first. */
    elements: readonly (PublicSchemas["MultipleElement"] | PublicSchemas["LiquidityElement"] | PublicSchemas["BorrowLendElement"] | PublicSchemas["TradeElement"] | PublicSchemas["LeverageElement"])[];
    tokenInfo: PublicSchemas["PositionsTokenInfo"];
  };
  PositionsFetcherReportsItem: {
    id: string;
    status: "succeeded" | "failed";
    /** Milliseconds; of those that succeeded. */
    duration?: number;
    /** Of those that failed. */
    error?: string;
  };
  PositionsTokenInfo: {
    solana: Readonly<Record<string, PublicSchemas["PositionsTokenInfoSolanaValue"]>>;
  };
  PositionsTokenInfoSolanaValue: {
    /** A base58 address of 32 bytes. */
    address: string;
    name: string;
    symbol: string;
    decimals: number;
    logoURI?: string;
    tags?: readonly string[];
  };
  PredictionClaimBuild: {
    /** Base64. It lacks the signature of the owner alone, who signs it as it is: a change of any byte makes the other signatures invalid. */
    transaction: string;
    txMeta: PublicSchemas["PredictionOrderBuildTxMeta"];
    /** As in `txMeta`. */
    blockhash: string;
    /** As in `txMeta`. */
    lastValidBlockHeight: number;
    /** The owner alone. For a forecast that a sponsor pays for: the sponsor, which has signed already, and the owner. */
    requiredSigners: readonly string[];
    /** Whether the sponsor pays all fees and rent. */
    isGasless: boolean;
    execution: PublicSchemas["PredictionOrderBuildExecution"];
    position: PublicSchemas["PredictionClaimBuildPosition"];
  };
  PredictionClaimBuildPosition: {
    pubkey: string;
    /** The same as `pubkey`. */
    positionPubkey: string;
    marketPubkey: string;
    userPubkey: string;
    ownerPubkey: string;
    isYes: boolean;
    /** Whole contracts; a fraction is cut off. */
    contracts: string;
    /** Millionths of a contract. */
    contractsMicro: string;
    /** Contracts, exactly. */
    contractsDecimal: string;
    /** What is paid. Micro USD. */
    payoutAmountUsd: string;
  };
  PredictionClosings: {
    /** A claim has `position`, and a sale `order`. */
    data: readonly (PublicSchemas["PredictionOrderBuild"] | PublicSchemas["PredictionClaimBuild"])[];
  };
  PredictionError: {
    type: "invalid_request_error" | "authentication_error" | "permission_error" | "idempotency_error" | "rate_limit_error" | "api_error";
    /** A sentence, or a text that clients compare. */
    message: string;
    /** By which programs tell errors apart. */
    code?: string;
    /** The parameter or field that it is about. */
    param?: string;
    /** By which the log of the gateway names the request. */
    request_id: string;
  };
  PredictionEvent: {
    eventId: string;
    /** Whether one of its markets is open. */
    isActive: boolean;
    /** Whether its subject has begun and it is not closed. */
    isLive: boolean;
    category: string;
    subcategory: string;
    tags: readonly string[];
    metadata: PublicSchemas["PredictionEventMetadata"];
    /** Only if the request asks for them. */
    markets?: readonly PublicSchemas["PredictionMarket"][];
    /** What was traded in all, in micro USD. */
    volumeUsd: string;
    /** What was traded within 24 hours, in micro USD. */
    volume24hr: string;
    /** How its game stands; null if nobody has said so. */
    liveScore: PublicSchemas["PredictionScore"] | null;
    closeCondition: string;
    /** Unix seconds, as text. */
    beginAt: string | null;
    /** Empty. */
    rulesPdf: string;
  };
  PredictionEventMetadata: {
    eventId: string;
    title: string;
    subtitle: string;
    slug: string;
    series: string;
    /** ISO 8601. */
    closeTime: string;
    /** Empty without an image. */
    imageUrl: string;
    isLive: boolean;
  };
  PredictionEvents: {
    data: readonly PublicSchemas["PredictionEvent"][];
    pagination: PublicSchemas["PredictionEventsPagination"];
    /** As in `pagination`. */
    start: number;
    /** As in `pagination`. */
    end: number;
    /** As in `pagination`. */
    total: number;
  };
  PredictionEventsPagination: {
    /** The index of the first item. */
    start: number;
    /** The index after the last item. */
    end: number;
    /** Items of all pages. */
    total: number;
    /** Whether items follow. */
    hasNext: boolean;
  };
  PredictionExecution: {
    status: "Success" | "Failed";
    signature: string | null;
    /** Why nothing happened. */
    error: string | null;
    /** That of the request, or the id under which the log has it. */
    requestId: string;
  };
  PredictionForecast: {
    /** The oldest first. A period in which nothing changed is left out. */
    forecast_history: readonly PublicSchemas["PredictionForecastForecastHistoryItem"][];
  };
  PredictionForecastForecastHistoryItem: {
    /** The id of the market. */
    market_ticker: string;
    /** The id of its event. */
    event_ticker: string;
    /** When the period ended, in Unix seconds. */
    end_period_ts: number;
    /** The length of a period, in seconds. */
    period_interval: number;
    /** The chance of yes in percent, to a hundredth. */
    numerical_forecast: number;
    /** The chance of yes, from 0 to 1. */
    raw_numerical_forecast: number;
    /** The chance as text, such as `57.4%`. */
    formatted_forecast: string;
  };
  PredictionHistory: {
    data: readonly PublicSchemas["PredictionHistoryEvent"][];
    pagination: PublicSchemas["PredictionEventsPagination"];
  };
  PredictionHistoryEvent: {
    id: number;
    eventType: "order_created" | "order_filled" | "order_failed" | "order_closed" | "position_updated" | "position_lost" | "payout_claimed";
    signature: string;
    slot: string;
    /** Unix seconds. */
    timestamp: number;
    /** Empty where the event is about no order. */
    orderPubkey: string;
    positionPubkey: string;
    marketId: string;
    ownerPubkey: string;
    keeperPubkey: string;
    externalOrderId: string;
    orderId: string;
    isBuy: boolean;
    isYes: boolean;
    /** Whole contracts; a fraction is cut off. */
    contracts: string;
    /** Millionths of a contract. */
    contractsMicro: string;
    /** Contracts, exactly. */
    contractsDecimal: string;
    /** Of this fill. */
    filledContracts: string;
    filledContractsMicro: string;
    filledContractsDecimal: string;
    /** What a payout or a loss has settled. 0 in the events of orders. */
    contractsSettled: string;
    contractsSettledMicro: string;
    contractsSettledDecimal: string;
    /** The limit of the order. Micro USD. */
    maxFillPriceUsd: string;
    /** Of one contract. Micro USD. */
    avgFillPriceUsd: string;
    /** The highest price of a purchase. Micro USD. */
    maxBuyPriceUsd: string | null;
    /** The lowest price of a sale. Micro USD. */
    minSellPriceUsd: string | null;
    /** What the order took from its owner. Micro USD. */
    depositAmountUsd: string;
    /** What was paid. Micro USD. */
    totalCostUsd: string;
    /** The fee of the venue. Micro USD. */
    feeUsd: string | null;
    /** Always 0. Micro USD. */
    integratorFeeUsd: string;
    /** What a sale brought before fees. Micro USD. */
    grossProceedsUsd: string;
    /** What a sale brought after fees. Micro USD. */
    netProceedsUsd: string;
    /** Of a sale or a payout, after fees. Micro USD. */
    realizedPnl: string | null;
    /** Of a sale or a payout, before fees. Micro USD. */
    realizedPnlBeforeFees: string | null;
    /** What moved to or from the owner. Micro USD. */
    transferAmountToken: string | null;
    /** What was claimed. Micro USD. */
    payoutAmountUsd: string;
    eventId: string;
    marketMetadata: PublicSchemas["PredictionMarketMetadata"];
    eventMetadata: PublicSchemas["PredictionPositionEvent"];
  };
  PredictionLeaderboardEntry: {
    ownerPubkey: string;
    /** Realized in the period, less fees. Micro USD. */
    realizedPnlUsd: string;
    /** Traded in the period, before fees. Micro USD. */
    totalVolumeUsd: string;
    /** Decided in the period. */
    predictionsCount: number;
    correctPredictions: number;
    wrongPredictions: number;
    /** Correct ones of a hundred decided, such as `75.00`. */
    winRatePct: string;
    period: string;
    /** When the period began. ISO 8601; null for all time. */
    periodStart: string | null;
    /** When the period ends. ISO 8601; null for all time. */
    periodEnd: string | null;
  };
  PredictionLeaderboards: {
    data: readonly PublicSchemas["PredictionLeaderboardEntry"][];
    summary: PublicSchemas["PredictionLeaderboardsSummary"];
  };
  PredictionLeaderboardsSummary: {
    all_time: PublicSchemas["PredictionPeriodSummary"];
    weekly: PublicSchemas["PredictionPeriodSummary"];
    monthly: PublicSchemas["PredictionPeriodSummary"];
  };
  PredictionMarket: {
    marketId: string;
    eventId: string;
    /** `polymarket`, or `bisonfi` for a forecast. */
    provider: string;
    title: string;
    /** A market stays closed when its result is known. */
    status: "open" | "closed" | "cancelled";
    result: "yes" | "no" | null;
    /** Unix seconds. */
    openTime: number;
    /** Unix seconds. */
    closeTime: number;
    /** When the result was posted, in ISO 8601; null before. */
    resolveAt: string | null;
    /** The account that has the result; null before it is posted. */
    marketResultPubkey: string | null;
    imageUrl: string | null;
    rulesPrimary: string;
    rulesSecondary: string;
    outcomes: readonly string[];
    marketOptions: readonly PublicSchemas["PredictionMarketMarketOptionsItem"][];
    /** Empty. */
    clobTokenIds: readonly string[];
    isTeamMarket: boolean;
    team: null;
    sportsLine: null;
    sportsMarketType: null;
    /** Of a forecast: the token of the side. Otherwise null. */
    outcomeMint: string | null;
    /** Of a forecast: the program of that token. Otherwise null. */
    outcomeTokenProgram: string | null;
    /** Of a forecast: the account of the round. Otherwise null. */
    marketPda: string | null;
    /** Of a forecast: `up` or `down`. Otherwise null. */
    outcomeSide: string | null;
    /** Whether the market takes orders now. */
    tradable: boolean;
    /** Of a forecast: it resolves from its close until its result is on the chain. */
    lifecycleStatus?: "open" | "resolving" | "settled";
    pricing: PublicSchemas["PredictionMarketPricing"];
    /** Fields of the market, where older clients read them. */
    metadata: PublicSchemas["PredictionMarketHead"];
  };
  PredictionMarketHead: {
    title: string;
    status: string;
    /** The same as `tradable`. */
    isTradable: boolean;
    /** Unix seconds. */
    openTime: number;
    /** Unix seconds. */
    closeTime: number;
    rulesPrimary: string;
    rulesSecondary: string;
  };
  PredictionMarketMarketOptionsItem: {
    label: string;
    buyYes: boolean;
  };
  PredictionMarketMetadata: {
    marketId: string;
    eventId: string;
    title: string;
    subtitle: string;
    description: string;
    provider: string;
    /** `open`, `closed` or `cancelled`. */
    status: string;
    /** `yes` or `no`; null before. */
    result: string | null;
    /** Unix seconds. */
    closeTime: number;
    /** Unix seconds. */
    openTime: number;
    isTeamMarket: boolean;
    team: null;
    sportsLine: null;
    marketOptions: readonly PublicSchemas["PredictionMarketMarketOptionsItem"][];
    rulesPrimary: string;
    rulesSecondary: string;
  };
  PredictionMarketPricing: {
    /** The price of a yes contract. Micro USD; null without one. */
    buyYesPriceUsd: number | null;
    /** The price of a no contract. Micro USD; null without one. */
    buyNoPriceUsd: number | null;
    /** What is paid for a yes contract. Micro USD; null without one. */
    sellYesPriceUsd: number | null;
    /** What is paid for a no contract. Micro USD; null without one. */
    sellNoPriceUsd: number | null;
    /** What was traded in all, in micro USD. */
    volume: number;
  };
  PredictionMarkets: {
    data: readonly PublicSchemas["PredictionMarket"][];
    pagination: PublicSchemas["PredictionEventsPagination"];
  };
  PredictionOrder: {
    pubkey: string;
    owner: string;
    /** The same as `owner`. */
    ownerPubkey: string;
    /** The address by which the program names the market. */
    market: string;
    marketId: string;
    marketIdHash: string;
    eventId: string;
    position: string;
    /** `filled` may be in part. */
    status: "pending" | "filled" | "failed";
    isYes: boolean;
    isBuy: boolean;
    /** Unix seconds. */
    createdAt: number;
    /** Unix seconds. */
    updatedAt: number;
    /** Whole contracts; a fraction is cut off. */
    contracts: string;
    /** Millionths of a contract. */
    contractsMicro: string;
    /** Contracts, exactly. */
    contractsDecimal: string;
    /** The limit of the order. Micro USD. */
    maxFillPriceUsd: string;
    /** The highest price of a purchase. Micro USD. */
    maxBuyPriceUsd: string | null;
    /** The lowest price of a sale. Micro USD. */
    minSellPriceUsd: string | null;
    /** Unix seconds; 0 before a fill. */
    filledAt: number;
    filledContracts: string;
    filledContractsMicro: string;
    filledContractsDecimal: string;
    /** Of one contract; 0 before a fill. Micro USD. */
    avgFillPriceUsd: string;
    /** Whether nothing more of it is filled. */
    settled: boolean;
    /** Empty before a fill. */
    orderId: string;
    /** What was filled, at its price. Micro USD. */
    sizeUsd: string;
    eventMetadata: PublicSchemas["PredictionPositionEvent"];
    marketMetadata: PublicSchemas["PredictionMarketMetadata"];
    externalOrderId: string;
    bump: number;
  };
  PredictionOrderBook: {
    /** Bids for yes contracts: the price in cents, rounded, and contracts. */
    yes: readonly (readonly unknown[])[];
    /** Bids for no contracts: the price in cents, rounded, and contracts. */
    no: readonly (readonly unknown[])[];
    /** The same bids for yes contracts with exact prices in dollars. */
    yes_dollars: readonly (readonly unknown[])[];
    /** The same bids for no contracts with exact prices in dollars. */
    no_dollars: readonly (readonly unknown[])[];
  };
  PredictionOrderBuild: {
    /** Base64. It lacks the signature of the owner alone, who signs it as it is: a change of any byte makes the other signatures invalid. */
    transaction: string;
    txMeta: PublicSchemas["PredictionOrderBuildTxMeta"];
    /** As in `txMeta`. */
    blockhash: string;
    /** As in `txMeta`. */
    lastValidBlockHeight: number;
    /** The owner alone. For a forecast that a sponsor pays for: the sponsor, which has signed already, and the owner. */
    requiredSigners: readonly string[];
    /** Whether the sponsor pays all fees and rent. */
    isGasless: boolean;
    execution: PublicSchemas["PredictionOrderBuildExecution"];
    /** The id of the order; null for a forecast. */
    externalOrderId: string | null;
    /** `keeper`: it is filled after it has landed. `atomic_swap`: a forecast, whose position is there when it has landed. */
    executionModel: "keeper" | "atomic_swap";
    /** `claim`: what is won is claimed, or paid out a day after the result. `auto`: a forecast, which pays out by itself. */
    settlement: "claim" | "auto";
    /** The id of the swap of a forecast; otherwise null. */
    jupiterSwapRequestId: string | null;
    order: PublicSchemas["PredictionOrderBuildOrder"];
  };
  PredictionOrderBuildExecution: {
    /** Where the signed transaction is sent. It may also be landed by any RPC. */
    endpoint: string;
    /** To be sent along, unchanged. */
    context: Readonly<Record<string, unknown>>;
  };
  PredictionOrderBuildOrder: {
    /** The account of the order; null for a forecast. */
    orderPubkey: string | null;
    /** Its token account; null for a forecast. */
    orderAtaPubkey: string | null;
    userPubkey: string;
    marketId: string;
    marketIdHash: string;
    /** Of a forecast: the token account of the owner. */
    positionPubkey: string;
    isBuy: boolean;
    /** True for a forecast. */
    isYes: boolean;
    /** Whole contracts; a fraction is cut off. */
    contracts: string;
    /** Millionths of a contract. */
    contractsMicro: string;
    /** Contracts, exactly. */
    contractsDecimal: string;
    /** Of the position after a complete fill. */
    newContracts: string;
    newContractsMicro: string;
    newContractsDecimal: string;
    /** The highest price of a purchase. Micro USD. */
    maxBuyPriceUsd: string | null;
    /** The lowest price of a sale. Micro USD. */
    minSellPriceUsd: string | null;
    /** The id of the order; null for a forecast. */
    externalOrderId: string | null;
    /** What the order takes from the owner; what is not spent comes back. Micro USD. */
    orderCostUsd: string;
    /** Of the position after a complete fill. Micro USD. */
    newAvgPriceUsd: string;
    /** The cost of the position after a complete fill. Micro USD. */
    newSizeUsd: string;
    /** What the position pays after a complete fill, if its side wins. Micro USD. */
    newPayoutUsd: string;
    /** What the contracts of the order pay if their side wins. Micro USD. */
    payoutUsd: string;
    /** Always 0. Micro USD. */
    estimatedProtocolFeeUsd: string;
    /** An estimate, up to a cent. Micro USD. */
    estimatedVenueFeeUsd: string;
    /** Always 0. Micro USD. */
    estimatedIntegratorFeeUsd: string;
    /** An estimate, up to a cent. Micro USD. */
    estimatedTotalFeeUsd: string;
    /** How far the average price of a sale is below the bid. Of a forecast: how much less the swap may pay. */
    slippageBps: number;
    /** How far the lowest price of a sale is below the bid, or how much less the swap of a forecast may pay; null for other orders. */
    maxSlippageBps: number | null;
  };
  PredictionOrderBuildTxMeta: {
    blockhash: string;
    lastValidBlockHeight: number;
  };
  PredictionOrderEvent: {
    eventType: "order_created" | "order_filled" | "order_failed" | "order_closed" | "position_updated" | "position_lost" | "payout_claimed";
    status: string;
    /** `Filled` or `PartiallyFilled` after a fill, otherwise empty. */
    rawStatus: string;
    /** Unix seconds. */
    timestamp: number;
    signature: string;
    externalOrderId: string;
    orderId: string;
    /** Of a fill. */
    fillInfo?: PublicSchemas["PredictionOrderEventFillInfo"];
  };
  PredictionOrderEventFillInfo: {
    isBuy: boolean;
    isYes: boolean;
    /** Whole contracts; a fraction is cut off. */
    contracts: string;
    /** Millionths of a contract. */
    contractsMicro: string;
    /** Contracts, exactly. */
    contractsDecimal: string;
    /** Of this fill. */
    filledContracts: string;
    filledContractsMicro: string;
    filledContractsDecimal: string;
    /** What a payout or a loss has settled. 0 in the events of orders. */
    contractsSettled: string;
    contractsSettledMicro: string;
    contractsSettledDecimal: string;
    /** The limit of the order. Micro USD. */
    maxFillPriceUsd: string;
    /** Of one contract. Micro USD. */
    avgFillPriceUsd: string;
    /** The highest price of a purchase. Micro USD. */
    maxBuyPriceUsd: string | null;
    /** The lowest price of a sale. Micro USD. */
    minSellPriceUsd: string | null;
    /** What the order took from its owner. Micro USD. */
    depositAmountUsd: string;
    /** What was paid. Micro USD. */
    totalCostUsd: string;
    /** The fee of the venue. Micro USD. */
    feeUsd: string | null;
    /** Always 0. Micro USD. */
    integratorFeeUsd: string;
    /** What a sale brought before fees. Micro USD. */
    grossProceedsUsd: string;
    /** What a sale brought after fees. Micro USD. */
    netProceedsUsd: string;
    /** Of a sale or a payout, after fees. Micro USD. */
    realizedPnl: string | null;
    /** Of a sale or a payout, before fees. Micro USD. */
    realizedPnlBeforeFees: string | null;
  };
  PredictionOrderStatus: {
    orderPubkey: string;
    /** `created`, `partiallyfilled`, `filled` or `failed`. It does not say whether more follows. */
    status: string;
    /** Nothing follows `order_closed`. An order that was not filled at all is `order_failed` before. */
    latestEventType: string;
    latestSignature: string;
    externalOrderId: string;
    orderId: string;
    /** The oldest first. */
    history: readonly PublicSchemas["PredictionOrderEvent"][];
  };
  PredictionOrders: {
    data: readonly PublicSchemas["PredictionOrder"][];
    pagination: PublicSchemas["PredictionEventsPagination"];
  };
  PredictionPeriodSummary: {
    /** Of everybody. Micro USD. */
    totalVolumeUsd: string;
    /** Decided predictions of everybody. */
    predictionsCount: number;
  };
  PredictionPnlHistory: {
    ownerPubkey: string;
    /** The oldest first. Empty for a wallet that has not traded. */
    history: readonly PublicSchemas["PredictionPnlHistoryHistoryItem"][];
  };
  PredictionPnlHistoryHistoryItem: {
    /** Unix seconds. */
    timestamp: number;
    /** What was realized in all up to then. Micro USD. */
    realizedPnlUsd: string;
  };
  PredictionPosition: {
    /** The account of the position: the token account of a forecast. */
    pubkey: string;
    owner: string;
    /** The same as `owner`. */
    ownerPubkey: string;
    /** The address by which the program names the market: the round of a forecast. */
    market: string;
    marketId: string;
    marketIdHash: string;
    eventId: string;
    isYes: boolean;
    /** Whole contracts; a fraction is cut off. */
    contracts: string;
    /** Millionths of a contract. */
    contractsMicro: string;
    /** Contracts, exactly. */
    contractsDecimal: string;
    /** What its contracts cost. Micro USD. */
    totalCostUsd: string;
    /** The same as `totalCostUsd`. Micro USD. */
    sizeUsd: string;
    /** What it is worth: at the bid, or by the result; null when the market is closed and has no result. Micro USD. */
    valueUsd: string | null;
    /** Of one contract. Micro USD. */
    avgPriceUsd: string;
    /** Between bid and ask; null when the market is not traded any more. Micro USD. */
    markPriceUsd: string | null;
    /** The best bid; null without one. Micro USD. */
    sellPriceUsd: string | null;
    /** How far a sale may fall below the bid. */
    maxSlippageBps: number;
    openOrders: number;
    /** Of the contracts that it holds. Micro USD. */
    feesPaidUsd: string;
    /** Always 0. Micro USD. */
    integratorFeeUsd: string;
    /** Of what was sold. Micro USD. */
    realizedPnlUsd: number;
    /** Its value less its cost. Micro USD. */
    pnlUsd: string | null;
    /** Of the cost. */
    pnlUsdPercent: number | null;
    /** The same less the fees. Micro USD. */
    pnlUsdAfterFees: string | null;
    /** Of the cost. */
    pnlUsdAfterFeesPercent: number | null;
    claimed: boolean;
    /** What was claimed. Micro USD. */
    claimedUsd: string;
    /** Never true for a forecast, which pays out by itself. */
    claimable: boolean;
    /** Unix seconds. */
    claimableAt: number | null;
    /** What it pays if its side wins. Micro USD. */
    payoutUsd: string;
    /** Unix seconds. */
    settlementDate: number | null;
    /** Unix seconds. */
    openedAt: number;
    /** Unix seconds. */
    updatedAt: number;
    /** 0 for a forecast. */
    bump: number;
    /** Always `program`. */
    source: string;
    eventMetadata: PublicSchemas["PredictionPositionEvent"];
    marketMetadata: PublicSchemas["PredictionMarketMetadata"];
  };
  PredictionPositionEvent: {
    eventId: string;
    title: string;
    subtitle: string;
    slug: string;
    series: string;
    /** ISO 8601. */
    closeTime: string;
    /** Empty without an image. */
    imageUrl: string;
    isLive: boolean;
    isActive: boolean;
    /** Unix seconds, as text. */
    beginAt: string | null;
    closeCondition: string;
    tags: readonly string[];
  };
  PredictionPositions: {
    data: readonly PublicSchemas["PredictionPosition"][];
    pagination: PublicSchemas["PredictionEventsPagination"];
  };
  PredictionProfile: {
    ownerPubkey: string;
    /** What sales, payouts and losses have brought or cost, less fees. Micro USD. */
    realizedPnlUsd: string;
    /** What purchases have cost and sales have brought, before fees. Micro USD. */
    totalVolumeUsd: string;
    /** Predictions that are decided: the correct and the wrong ones. */
    predictionsCount: string;
    /** Positions that had cost a dollar at least, and were paid out in full. */
    correctPredictions: string;
    /** Positions that had cost a dollar at least, and were lost. */
    wrongPredictions: string;
    /** Contracts in markets without a result; a fraction is cut off. */
    totalActiveContracts: string;
    /** The same in millionths of a contract. */
    totalActiveContractsMicro: string;
    /** The same, exactly. */
    totalActiveContractsDecimal: string;
    /** What all positions are worth now, as far as that is known. Micro USD. */
    totalPositionsValueUsd: string;
  };
  PredictionProfileUnknown: {
    error: string;
  };
  PredictionScore: {
    eventId: string;
    gameId: string;
    /** The league. Null if nobody has said it. */
    leagueAbbreviation: string | null;
    /** The team that is at home. Null if nobody has said it. */
    homeTeam: string | null;
    /** The other team. Null if nobody has said it. */
    awayTeam: string | null;
    /** Such as `2-1`. Null if nobody has said it. */
    score: string | null;
    /** Such as `2H`. Null if nobody has said it. */
    period: string | null;
    /** How long the period has lasted. Null if nobody has said it. */
    elapsed: string | null;
    /** In words. Null if nobody has said it. */
    status: string | null;
    /** Whether the game is played now. */
    live: boolean;
    ended: boolean;
    /** When it ended, in ISO 8601. Null if nobody has said it. */
    finishedTimestamp: string | null;
    /** When the score was posted, in ISO 8601. */
    updatedAt: string;
  };
  PredictionScores: {
    data: readonly PublicSchemas["PredictionScore"][];
  };
  PredictionTrade: {
    id: string;
    ownerPubkey: string;
    marketId: string;
    /** The trade in words. */
    message: string;
    /** Unix seconds. */
    timestamp: number;
    action: "buy" | "sell";
    /** For a side of a forecast always `yes`. */
    side: "yes" | "no";
    eventTitle: string;
    marketTitle: string;
    /** What a purchase has cost or a sale has brought, before fees. Micro USD. */
    amountUsd: string;
    /** Of one contract. Micro USD. */
    priceUsd: string;
    /** Empty without an image. */
    eventImageUrl: string;
    eventId: string;
    isTeamMarket: boolean;
    marketOptions: readonly PublicSchemas["PredictionMarketMarketOptionsItem"][];
  };
  PredictionTrades: {
    data: readonly PublicSchemas["PredictionTrade"][];
  };
  PredictionTradingStatus: {
    trading_active: boolean;
  };
  PredictionVault: {
    pubkey: string;
    /** The fields of the account. */
    data: Readonly<Record<string, string>>;
    /** JupUSD in the vault. Micro USD. */
    vaultBalance: string;
  };
  Price: {
    /** When the token was first seen; a fixed date for tokens that are older. */
    createdAt: string;
    /** US dollars in all pools of the token. */
    liquidity: number;
    /** US dollars for one token as wallets display it. */
    usdPrice: number;
    /** The slot of the trade, or of the change of the pools, that the price is of. */
    blockId: number | null;
    decimals: number;
    /** Percent against the price of 24 hours ago; null when there was none. */
    priceChange24h: number | null;
    /** Only for tokens whose displayed amounts are scaled. */
    scaledUiConfig?: PublicSchemas["PriceScaledUiConfig"];
  };
  PriceExtraInfo: {
    lastSwappedPrice: PublicSchemas["PriceExtraInfoLastSwappedPrice"];
    quotedPrice: PublicSchemas["PriceExtraInfoQuotedPrice"];
    /** Absent: its rule is not known. */
    confidenceLevel?: "high" | "medium" | "low";
    depth?: PublicSchemas["PriceExtraInfoDepth"];
  };
  PriceExtraInfoDepth: {
    buyPriceImpactRatio: PublicSchemas["PriceImpacts"];
    sellPriceImpactRatio: PublicSchemas["PriceImpacts"];
  };
  PriceExtraInfoLastSwappedPrice: {
    lastJupiterSellAt: number | null;
    lastJupiterSellPrice: string | null;
    lastJupiterBuyAt: number | null;
    lastJupiterBuyPrice: string | null;
  };
  PriceExtraInfoQuotedPrice: {
    buyPrice: string | null;
    buyAt: number | null;
    sellPrice: string | null;
    sellAt: number | null;
  };
  PriceImpacts: {
    /** The price impact in percent for 10, 100, 1000 SOL; a size that the pools do not take is absent. */
    depth: PublicSchemas["PriceImpactsDepth"];
    /** Unix seconds. */
    timestamp: number;
  };
  PriceImpactsDepth: {
    "10"?: number;
    "100"?: number;
    "1000"?: number;
  };
  PriceScaledUiConfig: {
    multiplier: number;
    newMultiplier: number;
    /** US dollars for one token before it is scaled. */
    usdPricePrescaled: number;
  };
  PriceV2: {
    id: string;
    type: "derivedPrice";
    /** US dollars for one token, or units of `vsToken`. */
    price: string;
    extraInfo?: PublicSchemas["PriceExtraInfo"];
  };
  ProgramOrderTrade: {
    orderKey: string;
    /** Who filled it. */
    keeper: string;
    inputMint: string;
    outputMint: string;
    /** In whole tokens. */
    inputAmount: string;
    /** In whole tokens, without the fee. */
    outputAmount: string;
    /** In base units. */
    rawInputAmount: string;
    /** In base units. */
    rawOutputAmount: string;
    /** The output. */
    feeMint: string;
    /** In whole tokens. */
    feeAmount: string;
    /** In base units. */
    rawFeeAmount: string;
    /** The signature. */
    txId: string;
    /** When it was filled. ISO 8601. */
    confirmedAt: string;
    action: "Fill";
    productMeta: null;
  };
  QuoteResponse: {
    inputMint: string;
    inAmount: string;
    outputMint: string;
    /** After the platform fee, before slippage. */
    outAmount: string;
    /** The least that is received, or with `ExactOut` the most that is spent. */
    otherAmountThreshold: string;
    swapMode: "ExactIn" | "ExactOut";
    slippageBps: number;
    platformFee?: PublicSchemas["QuoteResponsePlatformFee"] | null;
    /** Share of the price lost to the size of the swap, as a decimal. */
    priceImpactPct: string;
    routePlan: readonly PublicSchemas["QuoteRoutePlanStep"][];
    contextSlot?: number | null;
    /** Seconds. */
    timeTaken?: number | null;
    /** `V1` when absent, and `V2` at `/swap/v2`. */
    instructionVersion?: "V1" | "V2" | null;
    mostReliableAmmsQuoteReport?: PublicSchemas["QuoteResponseMostReliableAmmsQuoteReport"] | null;
  };
  QuoteResponseMostReliableAmmsQuoteReport: {
    info?: Readonly<Record<string, string>>;
  };
  QuoteResponsePlatformFee: {
    amount?: string | null;
    feeBps?: number | null;
  };
  QuoteRoutePlanStep: {
    swapInfo: PublicSchemas["QuoteRoutePlanStepSwapInfo"];
    /** 100 is the whole; null for a broken percent. */
    percent?: number | null;
    /** 10000 is the whole. */
    bps?: number | null;
  };
  QuoteRoutePlanStepSwapInfo: {
    ammKey: string;
    label?: string | null;
    inputMint: string;
    outputMint: string;
    inAmount: string;
    outAmount: string;
    feeAmount?: string | null;
    feeMint?: string | null;
  };
  Readiness: {
    ready: boolean;
    parts: Readonly<Record<string, string>>;
  };
  ReclaimRequest: {
    /** The wallet that owns the accounts, pays, and gets their rent. */
    owner: string;
    /** The tokens whose associated accounts are closed. */
    mints: readonly string[];
    /** Whether balances that are worthless are burned, which cannot be undone. Without it, no account with a balance is closed. */
    burnWorthless?: boolean | null;
  };
  RecurringError: {
    /** The status of the answer. */
    code: number;
    /** What is wrong, as a sentence. */
    error: string;
    /** The status of the answer, in words. */
    status: "Bad Request" | "Internal Server Error";
  };
  RecurringExecution: {
    signature: string;
    status: "Success" | "Failed";
    /** The order that was opened or closed. Null if nothing happened. */
    order: string | null;
    /** 0, a code in docs/errors.md, or that of the program that failed. */
    code: number;
    /** Why nothing happened. Absent after a success. */
    error?: string;
  };
  RecurringOrder: {
    userPubkey: string;
    /** The address of the order. */
    orderKey: string;
    inputMint: string;
    outputMint: string;
    /** What was deposited. In whole tokens. */
    inDeposited: string;
    /** The same in base units. */
    rawInDeposited: string;
    /** What was given back of the input. In whole tokens. */
    inWithdrawn: string;
    /** The same in base units. */
    rawInWithdrawn: string;
    /** What was traded of the input. In whole tokens. */
    inUsed: string;
    /** The same in base units. */
    rawInUsed: string;
    /** What a cycle trades. The last one trades the rest of the division too. In whole tokens. */
    inAmountPerCycle: string;
    /** The same in base units. */
    rawInAmountPerCycle: string;
    /** What was bought, without the fee. In whole tokens. */
    outReceived: string;
    /** The same in base units. */
    rawOutReceived: string;
    /** What was paid out of that. In whole tokens. */
    outWithdrawn: string;
    /** The same in base units. */
    rawOutWithdrawn: string;
    /** The least that a cycle may bring; 0 for no bound. In whole tokens. */
    minOutAmount: string;
    /** The same in base units. */
    rawMinOutAmount: string;
    /** The most that a cycle may bring; 0 for no bound. In whole tokens. */
    maxOutAmount: string;
    /** The same in base units. */
    rawMaxOutAmount: string;
    /** Seconds between two cycles. */
    cycleFrequency: string;
    /** The signature with which it was opened; empty if that was before anybody followed the program here. */
    openTx: string;
    /** The signature with which it was closed; empty while it is open. */
    closeTx: string;
    /** Whether the user closed it before it was done. */
    userClosed: boolean;
    /** When it was opened. ISO 8601. */
    createdAt: string;
    /** When it last changed. ISO 8601. */
    updatedAt: string;
    /** The newest first. */
    trades: readonly PublicSchemas["ProgramOrderTrade"][];
  };
  RecurringOrderWithKind: {
    userPubkey: string;
    /** The address of the order. */
    orderKey: string;
    inputMint: string;
    outputMint: string;
    /** What was deposited. In whole tokens. */
    inDeposited: string;
    /** The same in base units. */
    rawInDeposited: string;
    /** What was given back of the input. In whole tokens. */
    inWithdrawn: string;
    /** The same in base units. */
    rawInWithdrawn: string;
    /** What was traded of the input. In whole tokens. */
    inUsed: string;
    /** The same in base units. */
    rawInUsed: string;
    /** What a cycle trades. The last one trades the rest of the division too. In whole tokens. */
    inAmountPerCycle: string;
    /** The same in base units. */
    rawInAmountPerCycle: string;
    /** What was bought, without the fee. In whole tokens. */
    outReceived: string;
    /** The same in base units. */
    rawOutReceived: string;
    /** What was paid out of that. In whole tokens. */
    outWithdrawn: string;
    /** The same in base units. */
    rawOutWithdrawn: string;
    /** The least that a cycle may bring; 0 for no bound. In whole tokens. */
    minOutAmount: string;
    /** The same in base units. */
    rawMinOutAmount: string;
    /** The most that a cycle may bring; 0 for no bound. In whole tokens. */
    maxOutAmount: string;
    /** The same in base units. */
    rawMaxOutAmount: string;
    /** Seconds between two cycles. */
    cycleFrequency: string;
    /** The signature with which it was opened; empty if that was before anybody followed the program here. */
    openTx: string;
    /** The signature with which it was closed; empty while it is open. */
    closeTx: string;
    /** Whether the user closed it before it was done. */
    userClosed: boolean;
    /** When it was opened. ISO 8601. */
    createdAt: string;
    /** When it last changed. ISO 8601. */
    updatedAt: string;
    /** The newest first. */
    trades: readonly PublicSchemas["ProgramOrderTrade"][];
    recurringType: "time";
  };
  RecurringOrders: {
    user: string;
    orderStatus: "active" | "history";
    /** The orders, if `recurringType` is `time`: open ones with the newest first, others with those that ended last first. Otherwise empty. */
    time: readonly PublicSchemas["RecurringOrder"][];
    /** Empty. */
    price: readonly unknown[];
    /** The same, if `recurringType` is `all`. Otherwise empty. */
    all: readonly PublicSchemas["RecurringOrderWithKind"][];
    /** At least 1. A page beyond the last one is empty. */
    totalPages: number;
    page: number;
  };
  RecurringTimeParameters: {
    /** Base units of the input that are deposited, for all orders. They must be worth 100 US dollars. */
    inAmount: number;
    /** How often it is traded: twice at least, and for 50 US dollars each time. The last order trades the rest. */
    numberOfOrders: number;
    /** Seconds between two orders: from 30 to 31,536,000. */
    interval: number;
    minPrice?: number | null;
    maxPrice?: number | null;
    startAt?: number | null;
  };
  RecurringTransaction: {
    /** For `execute`. It belongs to this transaction alone. */
    requestId: string;
    /** The unsigned transaction, base64. The user is its only signer. */
    transaction: string;
  };
  ReferenceFeeLevels: {
    /** Micro-lamports per compute unit. */
    m: number;
    /** Micro-lamports per compute unit. */
    h: number;
    /** Micro-lamports per compute unit. */
    vh: number;
  };
  ReferenceFees: {
    /** Micro-lamports per compute unit. */
    claim: number;
    /** Medium, high and very high. */
    jup: PublicSchemas["ReferenceFeeLevels"];
    /** Medium, high and very high. */
    jup2: PublicSchemas["ReferenceFeeLevels"];
    /** Micro-lamports per compute unit. */
    loAndDCA: number;
    /** Micro-lamports per compute unit. */
    referral: number;
    /** Medium, high and very high. */
    perps: PublicSchemas["ReferenceFeeLevels"];
  };
  Refusal: {
    error: string;
  };
  RoutePlanStep: {
    swapInfo: PublicSchemas["RoutePlanStepSwapInfo"];
    /** `bps` in whole percents; those of one token add up to 100. */
    percent: number;
    /** Share of the input token that the step takes; 10000 is the whole. */
    bps: number;
    /** US dollars that the step takes. */
    usdValue?: number;
  };
  RoutePlanStepSwapInfo: {
    ammKey: string;
    label: string;
    inputMint: string;
    outputMint: string;
    inAmount: string;
    outAmount: string;
  };
  RpcAnswer: {
    jsonrpc: "2.0";
    /** Sent back as it came. */
    id: string | number | null;
    /** The first signature of the transaction, in base58. */
    result?: string;
    error?: PublicSchemas["RpcAnswerError"];
  };
  RpcAnswerError: {
    code: number;
    message: string;
  };
  RpcRequest: {
    jsonrpc: "2.0";
    /** Sent back as it came. */
    id?: string | number | null;
    /** `sendTransaction`. */
    method: string;
    /** The signed transaction in base64, and optionally a configuration: `encoding` (`base64`), `skipPreflight` (true), `maxRetries` (0) and `swqosOnly`. */
    params: readonly unknown[];
  };
  SendError: {
    /** What is wrong, as a sentence. */
    error: string;
  };
  SeparateSwapInstructions: {
    /** The limit of compute units, 1,400,000, and their price. */
    computeBudgetInstructions: readonly PublicSchemas["Instruction"][];
    setupInstructions: readonly PublicSchemas["Instruction"][];
    swapInstruction: PublicSchemas["Instruction"];
    cleanupInstruction: PublicSchemas["Instruction"] | null;
    otherInstructions: readonly PublicSchemas["Instruction"][];
    /** Null without `tipAmount`. */
    tipInstruction: PublicSchemas["Instruction"] | null;
    /** The contents of every lookup table that the transaction needs. */
    addressesByLookupTableAddress: Readonly<Record<string, readonly string[]>>;
    blockhashWithMetadata: PublicSchemas["BlockhashWithMetadata"];
  };
  SeparateSwapRequest: {
    quoteResponse: PublicSchemas["QuoteResponse"];
    /** The wallet that swaps and signs. */
    taker: string;
    /** Pays fees and rent instead of the taker, and signs. */
    payer?: string | null;
    /** Token account, of the input or the output mint, that collects the platform fee of the quote. */
    feeAccount?: string | null;
    /** Token account of the output mint that receives the output. */
    destinationTokenAccount?: string | null;
    /** Wallet that receives the output as SOL. */
    nativeDestinationAccount?: string | null;
    /** Whether to wrap SOL that is paid and unwrap SOL that is received; true when absent. */
    wrapAndUnwrapSol?: boolean | null;
    /** Slots for which the blockhash stays valid, 1 to 300; 150 when absent. */
    blockhashSlotsToExpiry?: number | null;
    /** Lamports to tip, at least 1000000, paid by the payer; none when absent. */
    tipAmount?: string | null;
    /** Of recent prices: `medium` (25th), `high` (50th, also when absent), `veryHigh` (75th) or basis points. The fee is at most 0.005 SOL. */
    computeUnitPricePercentile?: "medium" | "high" | "veryHigh" | number | null;
  };
  SeparateSwapResponse: {
    /** Base64; every signature is still to come. */
    swapTransaction: string;
    lastValidBlockHeight: number;
    /** The price of compute units times their limit, 1,400,000. */
    prioritizationFeeLamports: number;
    /** Micro-lamports. */
    computeUnitPrice: string;
  };
  ShieldWarning: {
    /** One of the words in docs/ultra.md. */
    type: string;
    message: string;
    severity: "info" | "warning" | "critical";
    /** Whose finding it is. Absent: all findings are from the chain and from this service. */
    source?: "RugCheck";
  };
  SignedFailure: {
    status: "Failed";
    /** Absent if nothing was sent. */
    signature?: string;
    /** Of the block that has the transaction. */
    slot?: string;
    /** 0, a code in docs/errors.md, or that of the program that failed. */
    code: number;
    /** Milliseconds. */
    totalTime: number;
    error: string;
  };
  SignedRequest: {
    /** Of the transaction. */
    requestId: string;
    /** The transaction, signed. Base64. */
    signedTransaction: string;
  };
  SignedSuccess: {
    status: "Success";
    /** Absent if nothing was sent. */
    signature?: string;
    /** Of the block that has the transaction. */
    slot?: string;
    /** 0, a code in docs/errors.md, or that of the program that failed. */
    code: number;
    /** Milliseconds. */
    totalTime: number;
  };
  SlippageReport: unknown;
  SourceRef: {
    /** A base58 address of 32 bytes. */
    address: string;
    name: "Pool" | "Farm" | "Market" | "Vault" | "Lending Market" | "Strategy" | "NFT Mint" | "Reserve" | "Proposal" | "Distributor" | "Locker" | "Custody" | "Pair" | "Borrow Token" | "Collateral Token" | "Elevation Group" | "Program" | "Validator";
  };
  StreamedPrice: {
    usdPrice: number;
    blockId: number | null;
  };
  StreamedTrade: {
    /** Null when a market maker filled the swap. */
    pool: string | null;
    venue: string;
    inputMint: string;
    /** Base units that the trader paid. */
    inputAmount: string;
    outputMint: string;
    /** Base units that the trader received. */
    outputAmount: string;
    usdVolume: number | null;
    trader: string | null;
    signature: string | null;
    blockId: number;
    /** Unix seconds. */
    timestamp: number;
    isRoundTrip: boolean | null;
    isSandwich: boolean | null;
  };
  StudioError: {
    /** What is wrong, as a sentence. */
    error?: string;
    /** What is wrong with each field, by its name. An inner field has the outer names before it, with dots. */
    errors?: Readonly<Record<string, readonly string[]>>;
    /** More about an error that is not the fault of the request. */
    details?: string;
  };
  SubmitAnswer: {
    /** The first signature, in base58. */
    signature: string;
  };
  SubmitLaunch: {
    /** The transaction of create-tx, signed by the creator, base64. */
    transaction: string;
    /** The creator. */
    owner: string;
    /** The text of the page. It is not on the chain. */
    content?: string;
    /** The header image of the page: JPEG, PNG, GIF or WebP, at most 5 MiB. */
    headerImage?: Blob;
  };
  SubmitRequest: {
    /** The signed transaction in base64. */
    signedTransaction: string;
  };
  SubmittedLaunch: {
    success: boolean;
    data: PublicSchemas["SubmittedLaunchData"];
  };
  SubmittedLaunchData: {
    mint: string;
    /** The configuration of the curve. */
    configKey: string;
  };
  SuggestedPredictionEvents: {
    data: readonly PublicSchemas["PredictionEvent"][];
  };
  SwapEvent: {
    inputMint: string;
    inputAmount: string;
    outputMint: string;
    outputAmount: string;
  };
  SwapInstructionsResponse: {
    /** Notes the balance of the token account; null without `useTokenLedger`. */
    tokenLedgerInstruction: PublicSchemas["Instruction"] | null;
    otherInstructions: readonly PublicSchemas["Instruction"][];
    computeBudgetInstructions: readonly PublicSchemas["Instruction"][];
    setupInstructions: readonly PublicSchemas["Instruction"][];
    swapInstruction: PublicSchemas["Instruction"];
    cleanupInstruction?: PublicSchemas["Instruction"];
    addressLookupTableAddresses: readonly string[];
    blockhashWithMetadata: PublicSchemas["BlockhashWithMetadata"];
    /** Priority fee, or the tip. */
    prioritizationFeeLamports: number;
    computeUnitLimit: number;
    /** Whether a priority fee or a tip is paid. */
    prioritizationType: PublicSchemas["PaidPriorityFee"] | PublicSchemas["PaidTip"];
    /** The slippage that was estimated for the swap; null where none was asked for. */
    dynamicSlippageReport: PublicSchemas["SlippageReport"];
    /** Why the simulation for the compute limit failed; null when it did not, or was not asked for. */
    simulationError: PublicSchemas["SwapResponseSimulationError"] | null;
  };
  SwapRefusal: {
    error: string;
    /** What led to the refusal, where `error` is a text that clients compare. */
    details?: string;
    /** The kind of refusal, where it has one: `COULD_NOT_FIND_ANY_ROUTE`, `TOKEN_NOT_TRADABLE`, `CIRCULAR_ARBITRAGE_IS_DISABLED`, `MARKET_NOT_FOUND`, `ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT`, `CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD`, `INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE`, `MAX_ACCOUNT_GREATER_THAN_MAX`, `FAILED_TO_GET_SWAP_AND_ACCOUNT_METAS`, `NOT_SUPPORTED`. */
    errorCode?: "COULD_NOT_FIND_ANY_ROUTE" | "TOKEN_NOT_TRADABLE" | "CIRCULAR_ARBITRAGE_IS_DISABLED" | "MARKET_NOT_FOUND" | "ROUTE_PLAN_DOES_NOT_CONSUME_ALL_THE_AMOUNT" | "CANNOT_COMPUTE_OTHER_AMOUNT_THRESHOLD" | "INVALID_COMPUTE_UNIT_PRICE_AND_PRIORITIZATION_FEE" | "MAX_ACCOUNT_GREATER_THAN_MAX" | "FAILED_TO_GET_SWAP_AND_ACCOUNT_METAS" | "NOT_SUPPORTED";
  };
  SwapRequest: {
    /** The wallet that swaps and signs. */
    userPublicKey: string;
    quoteResponse: PublicSchemas["QuoteResponse"];
    /** Pays fees and rent instead of the user, and signs. */
    payer?: string | null;
    /** Whether to wrap SOL that is paid and unwrap SOL that is received; true when absent. */
    wrapAndUnwrapSol?: boolean | null;
    /** Swap through the aggregator's own token accounts; false when absent. */
    useSharedAccounts?: boolean | null;
    /** Token account, of the input or the output mint, that collects the platform fee. */
    feeAccount?: string | null;
    /** Named by the swap instruction, so that its transactions can be found. */
    trackingAccount?: string | null;
    /** Lamports, `"auto"`, `"disabled"`, or one of `{ "autoMultiplier": times }`, `{ "priorityLevelWithMaxLamports": { "priorityLevel": "medium" | "high" | "veryHigh", "maxLamports", "global"? } }`, `{ "jitoTipLamports": lamports }` and `{ "jitoTipLamportsWithPayer": { "lamports", "payer" } }`. */
    prioritizationFeeLamports?: unknown;
    /** A transaction without lookup tables; false when absent. */
    asLegacyTransaction?: boolean | null;
    /** Token account of the output mint that receives the output. */
    destinationTokenAccount?: string | null;
    /** Wallet that receives the output as SOL. */
    nativeDestinationAccount?: string | null;
    /** Measure the compute limit by simulation; otherwise it is 1,400,000. */
    dynamicComputeUnitLimit?: boolean | null;
    /** Look no account up: everything that may be missing is created idempotently. */
    skipUserAccountsRpcCalls?: boolean | null;
    /** Estimate the slippage for this swap and put it in place of the quote's; within bounds, where some are given. */
    dynamicSlippage?: boolean | PublicSchemas["SwapRequestDynamicSlippage"] | null;
    /** Exact price, or `"auto"`; not together with `prioritizationFeeLamports`. */
    computeUnitPriceMicroLamports?: number | "auto" | null;
    /** Slots for which the blockhash stays valid. */
    blockhashSlotsToExpiry?: number | null;
    /** Spend what your own instructions pay into the token account, in place of the quoted amount: put `tokenLedgerInstruction` before them. For `swap-instructions` and quotes with `V1` and `ExactIn`. */
    useTokenLedger?: boolean | null;
    /** Not available: pools are read from the network alone. */
    keyedUiAccounts?: readonly unknown[] | null;
  };
  SwapRequestDynamicSlippage: {
    minBps?: number | null;
    maxBps?: number | null;
  };
  SwapResponse: {
    /** Base64; every signature is still to come. */
    swapTransaction: string;
    lastValidBlockHeight: number;
    /** Priority fee, or the tip. */
    prioritizationFeeLamports: number;
    computeUnitLimit: number;
    /** Whether a priority fee or a tip is paid. */
    prioritizationType: PublicSchemas["PaidPriorityFee"] | PublicSchemas["PaidTip"];
    /** The slippage that was estimated for the swap; null where none was asked for. */
    dynamicSlippageReport: PublicSchemas["SlippageReport"];
    /** Why the simulation for the compute limit failed; null when it did not, or was not asked for. */
    simulationError: PublicSchemas["SwapResponseSimulationError"] | null;
  };
  SwapResponseSimulationError: {
    errorCode: string;
    error: string;
  };
  SwapStats: {
    /** Percent. */
    priceChange?: number;
    /** Percent, of the owners with a balance. */
    holderChange?: number;
    /** Percent. */
    liquidityChange?: number;
    /** Percent, against the window before. */
    volumeChange?: number;
    /** US dollars. */
    buyVolume: number;
    /** US dollars. */
    sellVolume: number;
    /** US dollars of wallets that are not known as bots. */
    buyOrganicVolume?: number;
    /** US dollars of wallets that are not known as bots. */
    sellOrganicVolume?: number;
    /** Trades in which the trader received the token. */
    numBuys: number;
    /** Trades in which the trader paid the token. */
    numSells: number;
    /** Wallets that traded. */
    numTraders?: number;
    /** Wallets that bought and are not known as bots. */
    numOrganicBuyers?: number;
    /** Wallets that bought for more than they sold for. */
    numNetBuyers?: number;
  };
  Token: {
    /** The mint. */
    id: string;
    /** Empty if the token has no metadata. */
    name: string;
    /** Empty if the token has no metadata. */
    symbol: string;
    /** The URL of an image, by the list of known tokens or the operator. */
    icon?: string;
    decimals: number;
    tokenProgram: string;
    /** When the first pool of the token was created. ISO 8601; a fixed date if it is older than what is known. Absent if no pool trades it. */
    createdAt?: string;
    /** Submitted, and approved by the operator. */
    twitter?: string;
    /** Submitted, and approved by the operator. */
    telegram?: string;
    /** Submitted, and approved by the operator. */
    website?: string;
    /** Submitted, and approved by the operator. */
    discord?: string;
    /** Submitted, and approved by the operator. */
    instagram?: string;
    /** Submitted, and approved by the operator. */
    tiktok?: string;
    /** Submitted, and approved by the operator. */
    otherUrl?: string;
    /** The wallet that created the mint. Of a launched token, the one that signed its launch as the creator. */
    dev?: string;
    /** Who can mint more. Absent if nobody can. */
    mintAuthority?: string;
    /** Who can freeze accounts of the token. Absent if nobody can. */
    freezeAuthority?: string;
    /** Who issued it. Absent: it is not known. */
    issuer?: string;
    /** Whole tokens in circulation: submitted, or else what the network counts. */
    circSupply?: number;
    /** Whole tokens. */
    totalSupply?: number;
    /** The launchpad that the token came from: `met-dbc` for Meteora's bonding curves. Absent for other tokens. */
    launchpad?: string;
    /** The launchpad's configuration by which it was launched. */
    partnerConfig?: string;
    /** How much of its goal the bonding curve has raised, in percent. Absent once the liquidity has migrated. */
    bondingCurve?: number;
    /** The pool that took over its liquidity from the launchpad. */
    graduatedPool?: string;
    /** When it did. ISO 8601. */
    graduatedAt?: string;
    /** Owners with a balance. */
    holderCount?: number;
    /** US dollars: the total supply at the price. */
    fdv?: number;
    /** US dollars: the circulating supply at the price. */
    mcap?: number;
    /** US dollars per token as wallets display it. */
    usdPrice?: number;
    /** The slot of the last swap that the price is of. */
    priceBlockId?: number;
    /** US dollars over all pools. */
    liquidity?: number;
    /** What traders paid for it. Absent: it is not known. */
    fees?: number;
    apy?: PublicSchemas["TokenApy"];
    stats5m?: PublicSchemas["SwapStats"];
    stats1h?: PublicSchemas["SwapStats"];
    stats6h?: PublicSchemas["SwapStats"];
    stats24h?: PublicSchemas["SwapStats"];
    stats7d?: PublicSchemas["SwapStats"];
    stats30d?: PublicSchemas["SwapStats"];
    firstPool?: PublicSchemas["TokenFirstPool"];
    audit: PublicSchemas["TokenAudit"];
    scaledUiConfig?: PublicSchemas["TokenScaledUiConfig"];
    organicScore: number;
    organicScoreLabel: "high" | "medium" | "low";
    isVerified: boolean;
    tags: readonly string[];
    /** When the accounts of the token were read. ISO 8601. */
    updatedAt: string;
  };
  TokenAccount: {
    account: string;
    /** Base units. */
    amount: string;
    /** As wallets display it; rounded to what a number can hold. */
    uiAmount: number;
    /** The same, with all digits. */
    uiAmountString: string;
    isFrozen: boolean;
    isAssociatedTokenAccount: boolean;
    decimals: number;
    programId: string;
    /** What the account holds as its rent; for wrapped SOL, with the balance. */
    lamports: string;
    /** What `reclaim/craft` would give back. Absent if the account is not closed by it. */
    reclaimableLamports?: string;
  };
  TokenApy: {
    /** What lending the token earns, in percent a year. */
    jupEarn: number;
  };
  TokenAsset: {
    networkId: "solana";
    /** US dollars; null if unknown. */
    value: number | null;
    attributes: PublicSchemas["AssetAttributes"];
    name?: string;
    imageUri?: string;
    /** A base58 address of 32 bytes. */
    ref?: string;
    /** The accounts that the amounts were read from. */
    sourceRefs?: readonly PublicSchemas["SourceRef"][];
    link?: string;
    type: "token";
    data: PublicSchemas["TokenAssetData"];
  };
  TokenAssetData: {
    /** A base58 address of 32 bytes. */
    address: string;
    /** Whole tokens. */
    amount: number;
    /** US dollars; null if unknown. */
    price: number | null;
    yields?: readonly PublicSchemas["Yield"][];
  };
  TokenAudit: {
    /** Present if the token is not verified and its symbol imitates one that is. */
    isSus?: boolean;
    mintAuthorityDisabled: boolean;
    freezeAuthorityDisabled: boolean;
    /** What the ten largest owners hold, in percent of the supply. */
    topHoldersPercentage?: number;
    /** What `dev` holds, in percent of the supply. */
    devBalancePercentage?: number;
    /** How many mints that Sluice knows `dev` created. Over an outside RPC, only launched ones are counted. */
    devMints?: number;
    /** Present if an authority can move or burn the tokens of every holder. */
    permanentControlEnabled?: boolean;
    /** Present if holders cannot transfer the token. */
    soulBound?: boolean;
    /** Present if an authority can change the fee of transfers. */
    mutableFees?: boolean;
  };
  TokenFirstPool: {
    id: string;
    /** ISO 8601; a fixed date if it is older than what is known. */
    createdAt: string;
  };
  TokenScaledUiConfig: {
    /** What displayed amounts are multiplied with now. */
    multiplier: number;
    newMultiplier: number;
    /** ISO 8601. */
    newMultiplierEffectiveAt: string;
    circSupplyPrescaled: number;
    totalSupplyPrescaled: number;
    /** US dollars per token without the multiplier. */
    usdPricePrescaled?: number;
  };
  TokenV1: {
    /** The mint. */
    address: string;
    name: string;
    symbol: string;
    decimals: number;
    /** The URL of an image. */
    logoURI?: string;
    tags: readonly string[];
    /** US dollars in the last 24 hours. */
    daily_volume?: number;
    /** When the first pool of the token was created. ISO 8601. */
    created_at: string;
    /** When the mint was created. Absent: it is not known. */
    minted_at?: string;
    /** Who can freeze accounts of the token. */
    freeze_authority?: string;
    /** Who can mint more. */
    mint_authority?: string;
    /** Who can move or burn the tokens of every holder. */
    permanent_delegate?: string;
    extensions: PublicSchemas["TokenV1Extensions"];
  };
  TokenV1Extensions: Record<string, unknown>;
  TradeElement: {
    networkId: "solana";
    platformId: string;
    fetcherId: string;
    /** US dollars; null if unknown. */
    value: number | null;
    label: "Wallet" | "Staked" | "LiquidityPool" | "Farming" | "Vault" | "Lending" | "Vesting" | "Deposit" | "Rewards" | "Airdrop" | "Margin" | "LimitOrder" | "DCA" | "SmartDCA" | "Leverage";
    name?: string;
    tags?: readonly string[];
    /** A fraction. */
    netApy?: number;
    type: "trade";
    data: PublicSchemas["TradeElementData"];
  };
  TradeElementData: {
    assets: PublicSchemas["TradeElementDataAssets"];
    /** A base58 address of 32 bytes. */
    inputAddress: string;
    /** A base58 address of 32 bytes. */
    outputAddress: string;
    initialInputAmount: number;
    withdrawnOutputAmount: number;
    expectedOutputAmount?: number;
    /** US dollars; null if unknown. */
    inputPrice: number | null;
    /** US dollars; null if unknown. */
    outputPrice: number | null;
    filledPercentage: number;
    /** Unix ms. */
    createdAt?: number;
    /** Unix ms. */
    expireAt?: number;
    recurring?: PublicSchemas["TradeElementDataRecurring"];
    /** A base58 address of 32 bytes. */
    contract?: string;
    /** A base58 address of 32 bytes. */
    ref?: string;
    /** The accounts that the amounts were read from. */
    sourceRefs?: readonly PublicSchemas["SourceRef"][];
    link?: string;
  };
  TradeElementDataAssets: {
    input: PublicSchemas["TokenAsset"] | null;
    output: PublicSchemas["TokenAsset"] | null;
  };
  TradeElementDataRecurring: {
    cycles: number;
    /** Milliseconds. */
    interval: number;
    priceRange?: PublicSchemas["TradeElementDataRecurringPriceRange"];
  };
  TradeElementDataRecurringPriceRange: {
    min?: number;
    max?: number;
  };
  TransactionResponse: {
    /** Base64 of the unsigned transaction, in version 0. */
    transaction: string;
  };
  TriggerChallenge: {
    /** `transaction` is for wallets that sign no texts, such as hardware wallets. */
    type: "message" | "transaction";
    /** The text whose UTF-8 bytes the wallet signs. For `message`. */
    challenge?: string;
    /** The transaction that the wallet signs, in base64, with the text as its memo. It can never land. For `transaction`. */
    transaction?: string;
  };
  TriggerChallengeRequest: {
    /** The wallet that signs in. */
    walletPubkey: string;
    /** `transaction` is for wallets that sign no texts, such as hardware wallets. */
    type: "message" | "transaction";
  };
  TriggerConfirmCancelRequest: {
    /** Base64: the transaction of the withdrawal, signed by the wallet and otherwise unchanged. */
    signedTransaction: string;
    /** The `requestId` of the withdrawal. */
    cancelRequestId: string;
  };
  TriggerDcaEvent: {
    type: "deposit" | "fill" | "withdrawal" | "cancelled";
    /** ISO 8601: when it ended, or began if it is pending. */
    timestamp: string;
    /** `failed` covers a transaction that did not land. */
    state: "success" | "failed" | "pending";
    txSignature?: string;
    /** Of a fill, counted from 1. */
    roundNumber?: number;
    /** In the smallest unit of the token. */
    inputAmount?: string;
    /** Of a fill that succeeded: what the wallet got. */
    outputAmount?: string;
    /** Of a fill: which attempt at its round it was, among those that are shown. */
    attemptCount?: number;
  };
  TriggerDcaOrder: {
    id: string;
    /** The `requestId` of the deposit. */
    requestId: string;
    /** The wallet. */
    userPubkey: string;
    /** The vault of the wallet. */
    vaultPubkey: string;
    inputMint: string;
    outputMint: string;
    /** In the smallest unit of the token. */
    inputAmountInitial: string;
    /** What no round has used. It stays as it is when the order is cancelled. */
    inputAmountRemaining: string;
    /** The last round sells the rest of the division too. */
    amountPerRound: string;
    /** What all rounds paid. */
    outputAmountTotal: string;
    /** In the smallest unit of the token. */
    inputAmountUsed: string;
    orderType: "time_based" | "price_conditional";
    minPriceUsd: number | null;
    maxPriceUsd: number | null;
    triggerMint: string | null;
    /** How long a round is tried before it is put off to the next interval. */
    retryWindowSeconds: number;
    /** Whether the deposit earns while it waits. */
    jlEnabled: boolean;
    jlYieldUsd: number | null;
    numberOfRounds: number;
    intervalSeconds: number;
    /** ISO 8601, with milliseconds and `Z`. */
    beginFillAt: string;
    /** When the next round is due. It stays as it is after the last one. */
    nextFillAt: string;
    lastFillAt: string | null;
    roundsFilled: number;
    /** Which part of the input is used, from 0 to 1. */
    fillPercent: number;
    state: "depositing" | "deposit_failed" | "active" | "executing" | "withdrawing" | "completed" | "cancelled";
    displayState: "pending" | "active" | "executing" | "pending_withdraw" | "completed" | "cancelled" | "failed";
    /** ISO 8601, with milliseconds and `Z`. */
    createdAt: string;
    /** ISO 8601, with milliseconds and `Z`. */
    updatedAt: string;
    /** The newest first. Attempts at rounds that failed are among them. */
    events: readonly PublicSchemas["TriggerDcaEvent"][];
  };
  TriggerDcaOrderCreated: {
    /** The id of the order. */
    id: string;
    /** The signature of the deposit. */
    txSignature: string;
  };
  TriggerDcaOrderRequest: {
    /** The `requestId` of the deposit. */
    depositRequestId: string;
    /** Base64: the transaction of the deposit, signed by the wallet and otherwise unchanged. */
    depositSignedTx: string;
    /** The wallet that signed in. */
    userPubkey: string;
    /** As in the deposit. */
    inputMint: string;
    /** As in the deposit. */
    outputMint: string;
    /** As in the deposit. It is sold in equal rounds; the last one sells the rest. */
    inputAmount: string;
    /** Rounds, each worth 10 US dollars at least. */
    orderCount: number;
    /** Seconds between two rounds. */
    intervalSeconds: number;
    /** Default `time_based`. `price_conditional` fills a round only between two prices. */
    orderType?: "time_based" | "price_conditional";
    /** Of `price_conditional` orders: no round is filled below this price. */
    minPriceUsd?: number | null;
    /** Of `price_conditional` orders: no round is filled above this price. */
    maxPriceUsd?: number | null;
    /** Of `price_conditional` orders: the mint of the prices, which is no stablecoin. */
    triggerMint?: string | null;
    /** ISO 8601: when the first round is due, at most 30 days from now. Default: now. */
    beginFillAt?: string | null;
    /** Whether the deposit is to earn while it waits. */
    jlEnabled?: boolean | null;
    /** As in the deposit, of an order that earns. */
    jlMint?: string | null;
  };
  TriggerDcaWithdrawal: {
    /** The id of the order. */
    id: string;
    /** Base64 of a legacy transaction with three signers, none of which has signed. The wallet signs the first place, and changes nothing else. */
    transaction: string;
    /** The `cancelRequestId` of the confirmation. */
    requestId: string;
    /** Rounds that are not filled. */
    roundsRemaining: number;
    /** Base units of the input that come back, without what they have earned. */
    refundAmount: string;
  };
  TriggerDeposit: {
    /** Base64 of a legacy transaction with three signers, or two if the deposit earns. None has signed. The wallet signs the first place, and changes nothing else. */
    transaction: string;
    /** The `depositRequestId` of one order. It is used once. */
    requestId: string;
    /** The vault. */
    receiverAddress: string;
    mint: string;
    amount: string;
    tokenDecimals: number;
    /** The account of the vault that the deposit opens for this order alone; absent if the deposit earns. */
    inputTokenAccount?: string;
    /** Of a deposit that earns: the same, which holds the shares of `jlMint`. */
    jlTokenAccount?: string;
    /** Of an `otoco` order: the second one, which holds what the order buys. */
    outputTokenAccount?: string;
  };
  TriggerDepositRequest: {
    /** The token that the order sells. SOL is wrapped by the transaction. */
    inputMint: string;
    /** The token that it buys. */
    outputMint: string;
    /** The wallet that signed in. */
    userAddress: string;
    /** Base units of the input. The order must be worth 10 US dollars. */
    amount: string;
    /** Whether the order waits for a price, or is filled in rounds. */
    orderType: "price" | "dca";
    /** Required for price orders, and omitted for DCA orders. */
    orderSubType?: "single" | "oco" | "otoco" | null;
    /** For DCA orders that earn while they wait: the earn token of the input, by `GET /lend/v1/earn/tokens`. */
    jlMint?: string | null;
  };
  TriggerError: {
    /** A sentence, or a text that clients compare. */
    error: string;
    /** What is wrong with each field, by its name. */
    details?: Readonly<Record<string, string>>;
  };
  TriggerOrder: {
    id: string;
    orderType: "single" | "oco" | "otoco";
    orderState: "pending" | "open" | "executing" | "filled" | "pending_withdraw" | "cancelled" | "expired" | "failed";
    /** The state by its inner name. */
    rawState: string;
    /** The wallet. */
    userPubkey: string;
    /** The vault of the wallet. */
    privyWalletPubkey: string;
    inputMint: string;
    /** In the smallest unit of the token. */
    initialInputAmount: string;
    /** What no fill has used. It stays as it is when the order is cancelled. */
    remainingInputAmount: string;
    outputMint: string;
    /** The token whose price is watched. */
    triggerMint: string;
    /** Of the leg that was filled, or else of the first one that the order waits for. */
    triggerCondition: "above" | "below";
    /** US dollars for one whole token, of the same leg. Of a trailing order, as it is now. */
    triggerPriceUsd: number;
    /** Of the same leg. Absent if the service decides. */
    slippageBps?: number;
    /** Of `oco` and `otoco` orders. */
    tpPriceUsd?: number;
    /** Of `oco` and `otoco` orders. */
    slPriceUsd?: number;
    /** Of `oco` and `otoco` orders. Absent if the service decides. */
    tpSlippageBps?: number;
    /** Of `oco` and `otoco` orders. Absent if the service decides. */
    slSlippageBps?: number;
    /** Of an `oco` order, and of an `otoco` order whose first part is filled: its two exits. */
    legs?: readonly PublicSchemas["TriggerOrderLeg"][];
    /** Of an `otoco` order: base units of `inputMint` that its exits have paid to the wallet. */
    returnedAmount?: string;
    /** Unix milliseconds. */
    expiresAt: number;
    /** Unix milliseconds. */
    createdAt: number;
    /** Unix milliseconds. */
    updatedAt: number;
    /** When the price was first reached, once something is filled. */
    triggeredAt?: number;
    /** What all fills of the input paid, once something is filled. */
    outputAmount?: string;
    /** What all fills used, once something is filled. */
    inputUsed?: string;
    /** 1 is all, once something is filled. */
    fillPercent?: number;
    /** Basis points between the watermark and the trigger. Null of an order that does not trail. */
    trailingBps: number | null;
    /** The highest price since the order was created, if it sells below its trigger. Null of an order that does not trail. */
    highWatermark: number | null;
    /** The lowest price since the order was created, if it buys above its trigger. Null of an order that does not trail. */
    lowWatermark: number | null;
    /** The oldest first. Attempts to fill that failed are among them. */
    events: readonly PublicSchemas["TriggerOrderEvent"][];
  };
  TriggerOrderCancelled: {
    /** The id of the order. */
    id: string;
    /** The signature of the withdrawal, which is confirmed. */
    txSignature: string;
  };
  TriggerOrderCreated: {
    /** The id of the order. */
    id: string;
    /** The signature of the deposit. */
    txSignature: string;
    /** `false`: the deposit may still land. Send the same request again. */
    depositConfirmed: boolean;
    /** What a client should know, such as that the order existed. */
    message?: string;
  };
  TriggerOrderEdited: {
    /** The id of the order. */
    id: string;
  };
  TriggerOrderEvent: {
    type: "deposit" | "fill" | "withdrawal" | "cancelled" | "expired";
    /** Unix ms: when it ended, or began if it is pending. */
    timestamp: number;
    /** `failed` covers a transaction that did not land. */
    state: "success" | "failed" | "pending";
    txSignature?: string;
    /** The token that was moved. */
    mint?: string;
    /** In the smallest unit of the token. */
    amount?: string;
    /** Of a fill: the token that it pays. */
    outputMint?: string;
    /** Of a fill that succeeded: what the wallet got. */
    outputAmount?: string;
    /** Of a fill. */
    orderContext?: "take_profit" | "stop_loss" | "buy_above" | "buy_below";
  };
  TriggerOrderLeg: {
    orderContext: "take_profit" | "stop_loss";
    orderState: "pending" | "open" | "executing" | "filled" | "pending_withdraw" | "cancelled" | "expired" | "failed";
    /** `oco_cancelled` of the leg that is not filled any more, because the other one was. */
    rawState: string;
    triggerCondition: "above" | "below";
    triggerPriceUsd: number;
  };
  TriggerPriceOrderEdit: {
    /** The kind of the order, which cannot be changed. */
    orderType: "single" | "oco" | "otoco";
    /** Of `single` and `otoco` orders. US dollars for one whole token of `triggerMint`. Not with `trailingBps`. */
    triggerPriceUsd?: number | null;
    /** Of `single` orders. Basis points, from 50 to 9000, by which the trigger follows the best price since the order was created. */
    trailingBps?: number | null;
    /** Of `single` and `otoco` orders. Basis points, from 0 to 10000, under the reference price that a fill may pay less. The service decides if it is left out. */
    slippageBps?: number | null;
    /** Of `oco` and `otoco` orders. The profit is taken at this price or above. */
    tpPriceUsd?: number | null;
    /** Of `oco` and `otoco` orders, below `tpPriceUsd`. The loss is stopped at this price or below. */
    slPriceUsd?: number | null;
    /** Of `oco` and `otoco` orders: the slippage of taking the profit. */
    tpSlippageBps?: number | null;
    /** Of `oco` and `otoco` orders: the slippage of stopping the loss. */
    slSlippageBps?: number | null;
    /** Unix milliseconds, in the future. */
    expiresAt?: number | null;
  };
  TriggerPriceOrderRequest: {
    /** As the `orderSubType` of the deposit. */
    orderType: "single" | "oco" | "otoco";
    /** The `requestId` of the deposit. */
    depositRequestId: string;
    /** Base64: the transaction of the deposit, signed by the wallet and otherwise unchanged. */
    depositSignedTx: string;
    /** The wallet that signed in. */
    userPubkey: string;
    /** As in the deposit. */
    inputMint: string;
    /** As in the deposit. */
    inputAmount: string;
    /** As in the deposit. */
    outputMint: string;
    /** The mint whose price is watched: `inputMint` or `outputMint`, but no stablecoin. */
    triggerMint: string;
    /** Required of `single` and `otoco` orders. Whether the price has to be at least, or at most, `triggerPriceUsd`. */
    triggerCondition?: "above" | "below" | null;
    /** Of `single` and `otoco` orders. US dollars for one whole token of `triggerMint`. Not with `trailingBps`. */
    triggerPriceUsd?: number | null;
    /** Of `single` orders. Basis points, from 50 to 9000, by which the trigger follows the best price since the order was created. */
    trailingBps?: number | null;
    /** Of `single` and `otoco` orders. Basis points, from 0 to 10000, under the reference price that a fill may pay less. The service decides if it is left out. */
    slippageBps?: number | null;
    /** Of `oco` and `otoco` orders. The profit is taken at this price or above. */
    tpPriceUsd?: number | null;
    /** Of `oco` and `otoco` orders, below `tpPriceUsd`. The loss is stopped at this price or below. */
    slPriceUsd?: number | null;
    /** Of `oco` and `otoco` orders: the slippage of taking the profit. */
    tpSlippageBps?: number | null;
    /** Of `oco` and `otoco` orders: the slippage of stopping the loss. */
    slSlippageBps?: number | null;
    /** Unix milliseconds, in the future. After that, no fill of the order is begun. */
    expiresAt: number;
  };
  TriggerToken: {
    /** The mode of the request, or its `type`. */
    authMode: string;
    /** A JWT for `Authorization: Bearer`, accepted for 24 hours. */
    token?: string;
    /** The same, accepted for 15 minutes. In place of `token` with `access_refresh`. */
    accessToken?: string;
    /** When `accessToken` ends, in ISO 8601. */
    expiresAt?: string;
  };
  TriggerVault: {
    /** The wallet. */
    userPubkey: string;
    /** The address whose accounts hold the deposits. */
    vaultPubkey: string;
    /** An id of the vault. Nothing asks for it. */
    privyVaultId: string;
  };
  TriggerVaultExists: {
    error: string;
    details: PublicSchemas["TriggerVault"];
  };
  TriggerVerifyRequest: {
    /** `transaction` is for wallets that sign no texts, such as hardware wallets. */
    type: "message" | "transaction";
    /** The wallet that signed. */
    walletPubkey: string;
    /** The signature of the text, in base58. For `message`. */
    signature?: string;
    /** The signed transaction in base64, otherwise unchanged. For `transaction`. */
    signedTransaction?: string;
    /** `access_refresh` asks for a token of 15 minutes; sign in again for the next one. The other words repeat `type`. */
    authMode?: "message" | "transaction" | "access_refresh";
  };
  TriggerWithdrawal: {
    /** The id of the order. */
    id: string;
    /** Base64 of a legacy transaction with three signers, none of which has signed. The wallet signs the first place, and changes nothing else. */
    transaction: string;
    /** The `cancelRequestId` of the confirmation. */
    requestId: string;
  };
  UnknownRecurringExecution: {
    /** The status of the answer. */
    code: number;
    /** What is wrong, as a sentence. */
    error: string;
    /** The status of the answer, in words. */
    status: "Bad Request" | "Internal Server Error";
    /** Of what was sent and may still land. */
    signature?: string;
  };
  UploadedFile: {
    /** Where the file is served from now on. */
    url: string;
  };
  UserTrade: {
    type: "buy" | "sell";
    /** The signature. */
    txHash: string;
    /** The token that was bought or sold. */
    assetId: string;
    /** ISO 8601; absent when the network has forgotten it. */
    blockTime?: string;
    /** Whole tokens. */
    amount: number;
    /** US dollars at that time; absent if it is not known. */
    price?: number;
    /** US dollars; absent if it is not known. */
    usdVolume?: number;
  };
  VaultBorrowData: {
    modeWithInterest: boolean;
    /** What the vault borrowed at the liquidity program, with interest. */
    borrow: string;
    /** The most that the vault may have borrowed now. */
    borrowLimit: string;
    /** Unix seconds. */
    lastUpdateTimestamp: string;
    /** 10000 is 100 %. */
    expandPercent: number;
    /** Seconds. */
    expandDuration: number;
    /** Up to this, the limit does not depend on time. */
    baseBorrowLimit: string;
    /** The limit never exceeds this. */
    maxBorrowLimit: string;
    /** The most that all may borrow of the token together. */
    borrowLimitUtilization: string;
    /** What both limits allow. */
    borrowableUntilLimit: string;
    /** The same, but no more than the reserve holds. */
    borrowable: string;
  };
  VaultMetadata: {
    maxLeverage: boolean;
    /** Whether the collateral is staked with one validator. */
    nativeStake: boolean;
    /** Whether both tokens follow the same price. */
    pegged: boolean;
    multiply: PublicSchemas["VaultMetadataMultiply"];
  };
  VaultMetadataMultiply: {
    enabled: boolean;
    /** By how much a loop should stay below the most leverage; 10000 is 100 %. */
    reduceFactor: number;
  };
  VaultSupplyData: {
    modeWithInterest: boolean;
    /** What the vault supplied at the liquidity program, with interest. */
    supply: string;
    /** What must stay supplied now. */
    withdrawalLimit: string;
    /** Unix seconds. */
    lastUpdateTimestamp: string;
    /** 10000 is 100 %. */
    expandPercent: number;
    /** Seconds. */
    expandDuration: number;
    /** Below this supply there is no limit. */
    baseWithdrawalLimit: string;
    /** What the limit lets out. */
    withdrawableUntilLimit: string;
    /** The same, but no more than the reserve holds. */
    withdrawable: string;
  };
  VerificationEligibility: {
    tokenExists: boolean;
    isVerified: boolean;
    canVerify: boolean;
    canMetadata: boolean;
    /** Why a request for verification would be refused. */
    verificationError?: string;
    /** Why new metadata would be refused. */
    metadataError?: string;
  };
  VerificationPayment: {
    /** The unsigned transaction, base64. Absent if the sender cannot pay. */
    transaction?: string;
    requestId: string;
    receiverAddress: string;
    mint: string;
    /** Base units of JUP that are received: 1,000 JUP, or a little more from a swap. */
    amount: string;
    tokenDecimals: number;
    /** What the sender pays the network, with the rent of a new account. 0 for a swap, where it is not stated. */
    feeLamports: number;
    /** US dollars for one JUP. Absent without a price. */
    tokenUsdRate?: number;
    /** What feeLamports are worth in US dollars. Absent without a price of SOL. */
    feeUsdAmount?: number;
    feeMint: string;
    feeTokenDecimals: number;
    feeAmount: number;
    /** Milliseconds. */
    totalTime: number;
    /** When the transaction can no longer land, at the usual pace of blocks. ISO 8601. */
    expireAt?: string;
    /** Why the sender cannot pay. */
    error?: string;
    /** 0, or what the sender lacks. */
    code: number;
    /** False: the sender pays the network. */
    gasless: boolean;
    /** What the sender pays, if it is swapped. */
    inputMint?: string;
    inputDecimals?: number;
    /** Base units that the sender pays, if they are swapped; the `paymentAmount` of execute. */
    quotedInputAmount?: string;
    /** Equal to quotedInputAmount. */
    maxInputAmount?: string;
  };
  VerificationRefusal: {
    error: string;
    /** The same as `error`, for clients that read this field. */
    message?: string;
    /** One of the codes in docs/errors.md. */
    code?: string;
    /** The status of the answer. */
    status?: number;
  };
  VerificationRequest: {
    /** The transaction of craft-txn, signed. Base64. */
    transaction: string;
    /** The id of craft-txn. */
    requestId: string;
    /** The wallet that pays. */
    senderAddress: string;
    /** The mint of the token. */
    tokenId: string;
    /** The handle of the token. Empty for metadata alone. */
    twitterHandle: string;
    /** The handle of the sender. */
    senderTwitterHandle?: string;
    /** Why the token should be verified. Empty for metadata alone. */
    description: string;
    tokenMetadata?: PublicSchemas["VerificationRequestTokenMetadata"];
    /** The currency of craft-txn. */
    paymentCurrency?: "JUP" | "SOL" | "USDC" | "JUPUSD";
    /** The quotedInputAmount of craft-txn. Required unless the currency is JUP. */
    paymentAmount?: string;
    /** The amount of craft-txn. */
    jupOutputAmount?: string;
  };
  VerificationRequestTokenMetadata: {
    /** Equal to the field of that name above. */
    tokenId: string;
    icon?: string | null;
    name?: string | null;
    symbol?: string | null;
    website?: string | null;
    telegram?: string | null;
    twitter?: string | null;
    twitterCommunity?: string | null;
    discord?: string | null;
    instagram?: string | null;
    tiktok?: string | null;
    circulatingSupply?: string | null;
    useCirculatingSupply?: boolean | null;
    tokenDescription?: string | null;
    coingeckoCoinId?: string | null;
    useCoingeckoCoinId?: boolean | null;
    circulatingSupplyUrl?: string | null;
    useCirculatingSupplyUrl?: boolean | null;
    otherUrl?: string | null;
  };
  VerificationResult: {
    status: "Success" | "Failed";
    /** The signature of the payment. */
    signature?: string;
    /** Why the payment did not land. */
    error?: string;
    code?: number;
    /** Milliseconds. */
    totalTime: number;
    verificationCreated: boolean;
    metadataCreated: boolean;
  };
  Yield: {
    /** A fraction, with daily compounding. */
    apy?: number;
    /** A fraction. */
    apr?: number;
    description?: string;
  };
}
