import type { OpenMarket } from '#marketplaces/contract/market.ts';
import { openTinyMarket } from '../../tiny-market/open.ts';
import { openAmazonMarket } from './amazon-market.ts';

/** All connectors with their marketplaces: a new one is listed here and in main.ts. */
export const markets: readonly (readonly [name: string, open: OpenMarket])[] = [
  ['Amazon in the sandbox', openAmazonMarket],
  ['tiny market', openTinyMarket],
];
