import { address } from '../../solana/address.ts';

/**
 * A sale of mainnet, as facts: its accounts, figures and events. Source R1 of `programs/prediction/INTERFACE.md`. Events are the
 * base64 of the log, the data of instructions is base58.
 */
export const RECORDED_SALE = {
  owner: address('AeyBYFtgm85BrsZMKrAWdc2qGQqYvwfkt88dZdfYEndS'),
  payer: address('DzrYVeiKz55ASsP2GiUxBpZrGsRxhjKpv6jVdpRwYWE1'),
  authority: address('5uFXJogUEqBTsVT8AcfuWbC9ZFM1tSzTFJ3eKVeB14yi'),
  keeper: address('8jhWXEL7xbfVhmmTUsJVfKn7o74jDy3uPARPA9TjsZd2'),
  cosigner: address('8BJpZsU2ThGmPMCYMsneCTWe9QFy9pTMkbFex7PKxasa'),
  position: address('JBKuLxTk81jhm5VGmmWxXKxKKz8NAqjYad8TXgWMGkJd'),
  order: address('BHhiu4YZpAq4mQBR4ks8QJ2ALt1AMYVDd9D6PxjUgxyK'),
  orderTokens: address('5cPEe71gehe8KWtHZYAMLDRX87nTk6Fm2Uf3UPAse1Hg'),
  ownerTokens: address('2p96XWbFUVutWTFzG8MbUrapLqm9RtBkhoN39ryiqY1U'),
  venueId: '0xdecd9124e96d8898785c28e4c4fae5a5f74f84bad842d997156ac128cc52fea2',
  terms: {
    externalOrderId: 'ce2db20914d04b3589745dc5b9272ea8',
    marketIdHash: '89c5835acb03d090cd468f702c02e57f',
    isYes: true,
    isBuy: false,
    contracts: 6_400_000n,
    limitPrice: 548_000n,
    depositAmount: 0n,
    isLimit: false,
    integrator: null,
  },
  /** What the contracts had cost, and the fees that were paid for them. */
  cost: 4_665_593n,
  fees: 63_280n,
  gross: 4_672_000n,
  venueFee: 126_140n,
  createdAt: 1_784_953_416n,
  filledAt: 1_784_953_425n,
  closedAt: 1_784_953_427n,
  events: {
    created:
      '4AHlP/48vp+Y3DUHQ+rSekq6w5Tn+ICQx4OCA81tMHypyrXjOEGERiAAAAA4OWM1ODM1YWNiMDNkMDkwY2Q0NjhmNzAyYzAyZTU3Zo9zMncXYgIUGNu0YgzMo/ZNfjYCvRiO19Ol2wI+mYVNACAAAABjZTJkYjIwOTE0ZDA0YjM1ODk3NDVkYzViOTI3MmVhOAEAAKhhAAAAAACgXAgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABIOmRqAAAAAA==',
    filled:
      'eHxtQvl0rh6Y3DUHQ+rSekq6w5Tn+ICQx4OCA81tMHypyrXjOEGERiAAAAA4OWM1ODM1YWNiMDNkMDkwY2Q0NjhmNzAyYzAyZTU3Zo9zMncXYgIUGNu0YgzMo/ZNfjYCvRiO19Ol2wI+mYVNIAAAAGNlMmRiMjA5MTRkMDRiMzU4OTc0NWRjNWI5MjcyZWE4AUIAAAAweGRlY2Q5MTI0ZTk2ZDg4OTg3ODVjMjhlNGM0ZmFlNWE1Zjc0Zjg0YmFkODQyZDk5NzE1NmFjMTI4Y2M1MmZlYTIBAAEAqGEAAAAAAACoYQAAAAAAoFwIAAAAAACQIwsAAAAAAPkwRwAAAAAAAEpHAAAAAABEXUUAAAAAAERdRQAAAAAAvOwBAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGzX9//////9y8gGRPS/TVaKh18NZieJQns1My/ikJsVuaxhvRROJ2VE6ZGoAAAAA',
    updated:
      '0NQ2vPZH61j/O9vj2xtd1JBuncXuH6A6C1zHBh7wZb753zmSs+jggo9zMncXYgIUGNu0YgzMo/ZNfjYCvRiO19Ol2wI+mYVNAQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAFE6ZGoAAAAA',
    closed:
      '7U1le0grlXuY3DUHQ+rSekq6w5Tn+ICQx4OCA81tMHypyrXjOEGERiAAAAA4OWM1ODM1YWNiMDNkMDkwY2Q0NjhmNzAyYzAyZTU3Zo9zMncXYgIUGNu0YgzMo/ZNfjYCvRiO19Ol2wI+mYVNIAAAAGNlMmRiMjA5MTRkMDRiMzU4OTc0NWRjNWI5MjcyZWE4AUIAAAAweGRlY2Q5MTI0ZTk2ZDg4OTg3ODVjMjhlNGM0ZmFlNWE1Zjc0Zjg0YmFkODQyZDk5NzE1NmFjMTI4Y2M1MmZlYTIBAAEAqGEAAAAAAKBcCAAAAAAARF1FAAAAAABy8gGRPS/TVaKh18NZieJQns1My/ikJsVuaxhvRROJ2VM6ZGoAAAAA',
  },
  data: {
    create:
      'JtDpXEfEVgjSUSmikCEYjsKC3eznmpEcWAoyLHjiZmwnx4zMvun79KaTyTfC7tMpX8KrbZEj5YTiL9tYsxjsTNwZrV4YmfpwQQkhwCvB7cbhAxt5BhBFyh4THEFKEr5yuPkRxkqGbSbixKc7JnkiK',
    fill: 'FW1WEpNCwspSiGYuRw9gioDxCbJxoK3zVjruP7VCk53XubeAxqTG124vRQSQtKjsT9YRxwu47p6yu9K2U8wde7kp2JkdUg5zfQPuhF1BkTHt5NoV98qbSwYX6TY7mFQ66cS9BqUGQthTf',
    close: 'G83isrqJTK1',
  },
} as const;
