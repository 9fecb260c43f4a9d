/** How many jobs run at a time, in each process and by pool: a slow job delays only its own pool. The numbers suit two cores. */
export const pools = {
  /** Each runs a child process with up to a gigabyte; the second slot lets another company's file run next to a long one. */
  import: 2,
  /** One DuckDB computes for all, so more at a time would only slow each down. */
  export: 2,
  /** Parts of a run over very many items; separate from the runs, which wait for them and must not take their slots. */
  parts: 1,
  /** Short jobs whose effect customers see: prices, and files of stock and price. */
  prices: 2,
  /** Short jobs that wait for a marketplace. */
  orders: 2,
  /** They wait for a mail server or a webhook and compute nothing. */
  mail: 4,
  /** They wait for a channel's server, often for minutes. */
  upload: 3,
  /** They wait for image hosts, and send few requests at a time to each. */
  images: 2,
  /** Runs at night, when nobody waits for it. */
  maintenance: 1,
} as const;

export type Pool = keyof typeof pools;

export const poolNames: readonly Pool[] = [
  'import',
  'export',
  'parts',
  'prices',
  'orders',
  'mail',
  'upload',
  'images',
  'maintenance',
];
