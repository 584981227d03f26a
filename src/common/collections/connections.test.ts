import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { type Connection, ConnectionTable, getNetworkAddress } from './connections.ts';

describe('getNetworkAddress', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['2001:db8:0:0:1::', '2001:db8:0:0'],
    ['2001:db8:0:1::1', '2001:db8:0:1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
  ])('counts %s as %s', (address, network) => {
    expect(getNetworkAddress(address)).toBe(network);
  });
});

/** A table with named connections, and the names of those that were closed to make room. */
function createConnectionTable(max: number, factor: number, isExempt?: (address: string) => boolean) {
  const table = new ConnectionTable(isExempt === undefined ? { max, factor } : { max, factor, isExempt });
  const closed: string[] = [];
  const add = (address: string, name = address) => table.add(address, () => closed.push(name));
  return { table, closed, add };
}

function busy(connection: Connection | null): Connection | null {
  if (connection !== null) connection.requests++;
  return connection;
}

describe('ConnectionTable', () => {
  it('leaves half of the connections to others, and refuses more while none is idle', () => {
    const { table, add } = createConnectionTable(10, 1);
    for (let index = 0; index < 5; index++) expect(busy(add('10.0.0.1'))).not.toBeNull();
    expect(add('10.0.0.1')).toBeNull();
    expect(add('10.0.0.2')).not.toBeNull();
    expect(table.count).toBe(6);
  });

  it('closes the oldest idle connection of an address for a new one of the same address', () => {
    const { table, closed, add } = createConnectionTable(4, 1);
    busy(add('10.0.0.1', 'a'));
    add('10.0.0.1', 'b');
    expect(add('10.0.0.1', 'c')).not.toBeNull();
    expect(closed).toEqual(['b']);
    expect(table.count).toBe(2);
  });

  it('closes the oldest idle connection of the most crowded address when there is no room', () => {
    const { closed, add } = createConnectionTable(6, 100);
    for (const name of ['a1', 'a2', 'a3']) add('10.0.0.1', name);
    for (const name of ['b1', 'b2']) add('10.0.0.2', name);
    add('10.0.0.3', 'c1');
    expect(add('10.0.0.4', 'd1')).not.toBeNull();
    expect(closed).toEqual(['a1']);
    expect(add('10.0.0.5', 'e1')).not.toBeNull();
    expect(closed.slice(1)).toHaveLength(1);
    expect(['a2', 'b1']).toContain(closed[1]);
  });

  it('never closes a busy connection, or one of an address with fewer connections', () => {
    const { closed, add } = createConnectionTable(4, 100);
    for (let index = 0; index < 3; index++) busy(add('10.0.0.1'));
    add('10.0.0.2', 'b');
    expect(busy(add('10.0.0.1'))).toBeNull();
    expect(closed).toEqual([]);
    expect(add('10.0.0.3', 'c')).not.toBeNull();
    expect(closed).toEqual(['b']);
  });

  it('counts the addresses of one IPv6 network together', () => {
    const { add } = createConnectionTable(10, 1);
    for (let index = 0; index < 5; index++) expect(busy(add(`2001:db8::${index}`))).not.toBeNull();
    expect(add('2001:db8::ffff')).toBeNull();
    expect(add('2001:db8:0:1::1')).not.toBeNull();
  });

  it('gives an exempt address all connections, and does not close its idle ones for others', () => {
    const { closed, add } = createConnectionTable(4, 1, (address) => address === '10.0.0.9');
    for (const name of ['p1', 'p2', 'p3', 'p4']) expect(add('10.0.0.9', name)).not.toBeNull();
    expect(add('10.0.0.1')).toBeNull();
    expect(closed).toEqual([]);
    expect(add('10.0.0.9', 'p5')).not.toBeNull();
    expect(closed).toEqual(['p1']);
  });

  it('closes idle connections of others for an exempt address', () => {
    const { closed, add } = createConnectionTable(2, 1, (address) => address === '10.0.0.9');
    add('10.0.0.1', 'a');
    add('10.0.0.2', 'b');
    expect(add('10.0.0.9')).not.toBeNull();
    expect(add('10.0.0.9')).not.toBeNull();
    expect(closed).toEqual(['a', 'b']);
  });

  it('admits an address without connections while another address has an idle one', () => {
    const step = fc.record({
      network: fc.integer({ min: 1, max: 6 }),
      does: fc.constantFrom('open', 'open busy', 'close', 'rest'),
      which: fc.nat(1_000),
    });
    assertProperty(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.array(step, { maxLength: 80 }), (max, steps) => {
        const table = new ConnectionTable({ max, factor: 1 });
        const open = new Set<Connection>();
        const addTo = (address: string) => {
          const added: { connection: Connection | null } = { connection: null };
          added.connection = table.add(address, () => {
            expect(added.connection?.requests).toBe(0);
            if (added.connection !== null) open.delete(added.connection);
          });
          if (added.connection !== null) open.add(added.connection);
          return added.connection;
        };
        for (const { network, does, which } of steps) {
          const one = [...open][which % Math.max(1, open.size)];
          if (does === 'open') addTo(`10.0.0.${network}`);
          else if (does === 'open busy') busy(addTo(`10.0.0.${network}`));
          else if (one !== undefined && does === 'rest') one.requests = 0;
          else if (one !== undefined) {
            table.remove(one);
            open.delete(one);
          }
          expect(table.count).toBe(open.size);
          expect(table.count).toBeLessThanOrEqual(max);
        }
        const hasRoom = open.size < max || [...open].some(({ requests }) => requests === 0);
        expect(addTo('10.0.1.1') !== null).toBe(hasRoom);
      }),
      { cases: 500, seed: 11 },
    );
  });
});
