import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

/** Anchor of the price explanation on an item's page. */
export const priceHash = '#preis';

export const pricePath = (masterid: string, itemid: string): string =>
  `${pathTo(pages.item, { masterid, itemid })}${priceHash}`;
