/**
 * Jobs that may run at a time, in each process and by pool: who waits for a slow one waits for none but its own kind. The numbers
 * suit two cores.
 */
export const pools = {
  /** A child process each, with up to a gigabyte; the second lets another company's file in beside a long one. */
  import: 2,
  /** One calculator computes for all, so more at a time would only make each slower. */
  export: 2,
  /** Short turns that customers see the effect of: prices, and files of stock and price. */
  prices: 2,
  /** Short turns that wait for a marketplace. */
  orders: 2,
  /** They wait for a mail server or a webhook and compute nothing. */
  mail: 4,
  /** They wait for a channel's server, often for minutes. */
  upload: 3,
  /** They wait for hosts of pictures, of which each is asked gently. */
  images: 2,
  /** At night, when nobody waits for it. */
  maintenance: 1,
} as const;

export type Pool = keyof typeof pools;

export const poolNames: readonly Pool[] = [
  'import',
  'export',
  'prices',
  'orders',
  'mail',
  'upload',
  'images',
  'maintenance',
];
