import type { RepricedArticle } from '#shared/repricer/dashboard.ts';

/** Columns that the list can be sorted by, under the API's names. */
export type ArticleColumnId =
  | '_id'
  | 'asin'
  | 'brand'
  | 'own_buybox'
  | 'worker_min_price'
  | 'worker_price'
  | 'worker_max_price'
  | 'my_offer_listing_price'
  | 'my_offer_shipping_price'
  | 'comp_offer_price'
  | 'comp_offer_shipping_price'
  | 'comp_buybox'
  | 'comp_name'
  | 'comp_count';

export type ArticleColumn = {
  readonly id: ArticleColumnId;
  readonly title: string;
  readonly kind: 'text' | 'money' | 'box' | 'count';
  /** Pixels. */
  readonly width: number;
};
export type ArticleGroup = { readonly title: string; readonly columns: readonly ArticleColumn[] };

/** RDA-06, word for word. */
export const articleGroups: readonly ArticleGroup[] = [
  {
    title: '',
    columns: [
      { id: '_id', title: 'Artikel-ID', kind: 'text', width: 170 },
      { id: 'asin', title: 'ASIN', kind: 'text', width: 130 },
      { id: 'brand', title: 'Brand', kind: 'text', width: 120 },
    ],
  },
  {
    title: 'Meine Werte',
    columns: [
      { id: 'own_buybox', title: 'BuyBox', kind: 'box', width: 90 },
      { id: 'worker_min_price', title: 'Min Price', kind: 'money', width: 100 },
      { id: 'worker_price', title: 'Standart Price', kind: 'money', width: 130 },
      { id: 'worker_max_price', title: 'Max Price', kind: 'money', width: 105 },
      { id: 'my_offer_listing_price', title: 'Offer Price', kind: 'money', width: 160 },
      { id: 'my_offer_shipping_price', title: 'Shipping', kind: 'money', width: 100 },
    ],
  },
  {
    title: 'Gegner',
    columns: [
      { id: 'comp_offer_price', title: 'Offer Price', kind: 'money', width: 110 },
      { id: 'comp_offer_shipping_price', title: 'Shipping', kind: 'money', width: 100 },
      { id: 'comp_buybox', title: 'BuyBox', kind: 'box', width: 90 },
      { id: 'comp_name', title: 'Name', kind: 'text', width: 170 },
      { id: 'comp_count', title: 'Messages', kind: 'count', width: 110 },
    ],
  },
];

export const articleColumns: readonly ArticleColumn[] = articleGroups.flatMap(({ columns }) => columns);

/** Returns a key unique within a catalogue: an item may be sold at several marketplaces. */
export const articleKey = ({ marketplace, _id }: Pick<RepricedArticle, 'marketplace' | '_id'>): string =>
  `${marketplace}:${_id}`;

/** Text of a buy box cell. */
export const boxWord = (holds: boolean): string => (holds ? 'JA' : 'NEIN');

/** Converts to cents: the dashboard's calls give prices as decimal numbers, while money is whole cents everywhere else. */
export const centsOf = (price: number | null): number | null => (price === null ? null : Math.round(price * 100));
