import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';

/** The part of an item's page that explains its price. */
export const priceHash = '#preis';

export const pricePath = (masterid: string, itemid: string): string =>
  `${pathTo(pages.item, { masterid, itemid })}${priceHash}`;
