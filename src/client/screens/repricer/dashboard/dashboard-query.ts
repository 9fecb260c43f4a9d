import {
  type DayRange,
  dayCount,
  isDay,
  lastDays,
  lastMonths,
  type RangePreset,
  thisMonth,
} from '#client/ui/text/days.ts';

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

/** The server answers for no more. */
export const mostDays = 800;

/** RDA-01, word by word as specified. */
export const last30Days: RangePreset = lastDays('Last 30 Days', 30);
export const dashboardPresets: readonly RangePreset[] = [
  lastDays('last 7 days', 7),
  last30Days,
  thisMonth('This Month'),
  lastMonths('Last Month', 1),
  lastMonths('Last 3 Month', 3),
];

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

/** What the address says of a list. */
export const listWord = (of: Exclude<ArticlesOf, { kind: 'all' }>): string =>
  of.kind === 'rank' ? `rang:${of.rank}` : `haendler:${of.id}`;

/** The days that an address names; undefined where it names none that can be shown. */
export function rangeIn(search: URLSearchParams): DayRange | undefined {
  const range = { start: search.get('von') ?? '', end: search.get('bis') ?? '' };
  const possible = isDay(range.start) && isDay(range.end) && range.start <= range.end && dayCount(range) <= mostDays;
  return possible ? range : undefined;
}
