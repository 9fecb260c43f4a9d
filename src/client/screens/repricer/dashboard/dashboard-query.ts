/** Tabs by what the address calls them. */
export const dashboardTabs = ['nachrichten', 'raenge', 'haendler', 'artikel'] as const;
export type DashboardTab = (typeof dashboardTabs)[number];

/** Which of the own articles a list shows. */
export type ArticlesOf = { kind: 'all' } | { kind: 'rank'; rank: number } | { kind: 'competitor'; id: string };
export type ArticleListProps = {
  masterid: string;
  /** One of our own ids at a marketplace. */
  sellerId: string;
  of: ArticlesOf;
  /** Leads back to the table that the list was opened from. */
  onBack?: () => void;
};

/** The tab that an address names, the first where it names none. */
export const tabIn = (search: URLSearchParams): DashboardTab =>
  dashboardTabs.find((tab) => tab === search.get('tab')) ?? 'nachrichten';

/** The articles of a rank or of a competitor that an address names. */
export function listIn(search: URLSearchParams): ArticlesOf | undefined {
  const [kind, ...rest] = (search.get('liste') ?? '').split(':');
  const name = rest.join(':').trim();
  if (kind === 'haendler' && name !== '') return { kind: 'competitor', id: name.slice(0, 100) };
  return kind === 'rang' && /^\d{1,3}$/.test(name) ? { kind: 'rank', rank: Number(name) } : undefined;
}
