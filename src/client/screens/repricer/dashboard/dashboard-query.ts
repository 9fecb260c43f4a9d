import { MOST_DAYS } from '#shared/values/day-range.ts';
import {
  type DayRange,
  dayCount,
  isDay,
  lastDays,
  lastMonths,
  type RangePreset,
  thisMonth,
} from '#client/ui/text/days.ts';

/** Tabs by their names in the URL. */
export const dashboardTabs = ['nachrichten', 'raenge', 'haendler', 'artikel'] as const;
export type DashboardTab = (typeof dashboardTabs)[number];

/** Which of our articles a list shows. */
export type ArticlesOf = { kind: 'all' } | { kind: 'rank'; rank: number } | { kind: 'competitor'; id: string };
export type ArticleListProps = {
  masterid: string;
  /** One of our own seller ids at a marketplace. */
  sellerId: string;
  of: ArticlesOf;
  /** Leads back to the table that the list was opened from. */
  onBack?: () => void;
};

/** RDA-01, word by word as specified. */
export const last30Days: RangePreset = lastDays('Last 30 Days', 30);
export const dashboardPresets: readonly RangePreset[] = [
  lastDays('last 7 days', 7),
  last30Days,
  thisMonth('This Month'),
  lastMonths('Last Month', 1),
  lastMonths('Last 3 Month', 3),
];

/** Returns the tab in a URL, or the first one. */
export const tabIn = (search: URLSearchParams): DashboardTab =>
  dashboardTabs.find((tab) => tab === search.get('tab')) ?? 'nachrichten';

/** Parses the rank or competitor whose articles a URL requests. */
export function listIn(search: URLSearchParams): ArticlesOf | undefined {
  const [kind, ...rest] = (search.get('liste') ?? '').split(':');
  const name = rest.join(':').trim();
  if (kind === 'haendler' && name !== '') return { kind: 'competitor', id: name.slice(0, 100) };
  return kind === 'rang' && /^\d{1,3}$/.test(name) ? { kind: 'rank', rank: Number(name) } : undefined;
}

/** Returns a list's name in the URL. */
export const listWord = (of: Exclude<ArticlesOf, { kind: 'all' }>): string =>
  of.kind === 'rank' ? `rang:${of.rank}` : `haendler:${of.id}`;

/** Parses the days in a URL; undefined if there is no valid range. */
export function rangeIn(search: URLSearchParams): DayRange | undefined {
  const range = { start: search.get('von') ?? '', end: search.get('bis') ?? '' };
  const possible = isDay(range.start) && isDay(range.end) && range.start <= range.end && dayCount(range) <= MOST_DAYS;
  return possible ? range : undefined;
}
