import { expect, it } from 'vitest';
import { carrierName } from './carrier-name.ts';

it.each([
  ['dhl', undefined, 'DHL'],
  [' D h l ', undefined, 'DHL'],
  ['hermes', ['DHL', 'Hermes'], 'Hermes'],
  // The channel's own spelling comes before that of the form.
  ['GLS', ['gls'], 'gls'],
  ['gls', ['DHL'], 'GLS'],
  ['UPS Express', ['DHL'], 'UPS Express'],
])('OIM-02 the carrier %j is taken by a channel with %j as %j', (typed, carriers, taken) => {
  expect(carrierName(typed, carriers && { carriers })).toBe(taken);
});
