import { z } from 'zod';
import type { Call } from '#shared/http/call.ts';
import { id, Ok, ordinal } from '#shared/http/call-parts.ts';
import { DayRange } from '#shared/values/day-range.ts';
import { moment } from '#shared/values/schema.ts';
import {
  ArticleChunk,
  CHUNK,
  StoredNote,
  MOST_ARTICLES,
  NewNote,
  Note,
  PriceHistory,
  RepricedArticle,
  RepricerFigures,
  RepricerStatistic,
} from './dashboard.ts';
import { RuleChange, usualChangeSpan } from './rule-change.ts';

/** All catalogues of the seller, or one. */
const ofMaster = { masterid: id.optional() };
const sellerid = z.string().min(1).max(100);
const offset = z.coerce.number().int().min(0).max(100_000_000).default(0);
const articles = z.object({
  ...ofMaster,
  offset,
  limit: z.coerce.number().int().min(1).max(MOST_ARTICLES).default(MOST_ARTICLES),
});

/** Calls for figures of the repricer (RDA). `sellerid` is one of the company's own seller ids at a marketplace. */
export const repricerDashboardCalls = {
  repricerStatistic: {
    method: 'POST',
    path: '/merch/repricer/statistic',
    summary: 'Kennzahlen des Repricers: Nachrichten je Tag und Art, Ränge und BuyBox mit Verlauf, Händler',
    access: 'read',
    query: z.object(ofMaster),
    body: DayRange,
    response: RepricerStatistic,
    question: 'records',
  },
  sellerNames: {
    method: 'GET',
    path: '/repricer/compnames/',
    summary: 'Namen der Händler nach Kennung; wo keiner bekannt ist, die Kennung',
    access: 'read',
    response: z.record(z.string(), z.string()),
    question: 'records',
  },
  repricerFigures: {
    method: 'GET',
    path: '/api/repricer/{sellerid}/figures/',
    summary:
      'BuyBox jetzt und als Anteil der Zeit, Artikel am Mindestpreis, angehaltene Preise; bis zu einer Minute alt',
    access: 'read',
    params: z.object({ sellerid }),
    query: z.object(ofMaster),
    response: RepricerFigures,
    question: 'records',
  },
  repricedArticles: {
    method: 'GET',
    path: '/repricer/{sellerid}/product/datalist/',
    summary: 'Alle eigenen Angebote neben dem günstigsten Wettbewerber, stückweise, in fester Reihenfolge',
    access: 'read',
    params: z.object({ sellerid }),
    query: z.object({ ...ofMaster, offset, limit: z.coerce.number().int().min(1).max(CHUNK).default(CHUNK) }),
    response: ArticleChunk,
    question: 'records',
    large: true,
  },
  articlesOfCompetitor: {
    method: 'GET',
    path: '/repricer/{sellerid}/data/compdata/{competitor}/',
    summary: `Eigene Angebote, in denen dieser Händler auch anbietet, neben seinem Angebot; höchstens ${MOST_ARTICLES} auf einmal`,
    access: 'read',
    params: z.object({ sellerid, competitor: sellerid }),
    query: articles,
    response: z.array(RepricedArticle),
    question: 'records',
    large: true,
  },
  articlesOfRank: {
    method: 'GET',
    path: '/repricer/{sellerid}/data/rangdata/{rank}/',
    summary: `Eigene Angebote auf diesem Rang neben dem günstigsten Wettbewerber; 0: ohne Rang; höchstens ${MOST_ARTICLES} auf einmal`,
    access: 'read',
    params: z.object({ sellerid, rank: z.coerce.number().int().min(0).max(1000) }),
    query: articles,
    response: z.array(RepricedArticle),
    question: 'records',
    large: true,
  },
  articlePrices: {
    method: 'GET',
    path: '/api/repricer/{sellerid}/details/{articleId}/',
    summary: 'Preisverlauf aller Verkäufer eines Artikels mit Versand, je Minute; ohne Zeitraum die letzten 30 Tage',
    access: 'read',
    params: z.object({ sellerid, articleId: z.string().min(1).max(500) }),
    query: z.object({
      ...ofMaster,
      marketplace: z.string().max(100).optional(),
      start: moment.optional(),
      end: moment.optional(),
    }),
    response: PriceHistory,
    question: 'records',
  },
  ruleChange: {
    method: 'GET',
    path: '/api/repricer/{masterid}/changes/{number}',
    summary: 'Was sich um ein Speichern der Repricing-Regeln änderte: gleich viele volle Tage davor und danach',
    access: 'read',
    params: z.object({ masterid: id, number: ordinal }),
    query: z.object({ days: z.coerce.number().int().min(1).max(90).default(usualChangeSpan) }),
    response: RuleChange,
  },
  waitingPrices: {
    method: 'GET',
    path: '/api/repricer/waiting',
    summary: 'Wie viele Preisfreigaben ausstehen, und in welchem Katalog die meisten',
    access: 'read',
    response: z.object({ count: z.number().int(), masterid: z.string().nullable() }),
    question: 'records',
  },
  notes: {
    method: 'GET',
    path: '/api/notes/',
    summary: 'Notizen der Firma zu einzelnen Tagen, neueste Tage zuerst',
    access: 'read',
    response: z.array(StoredNote),
  },
  addNote: {
    method: 'POST',
    path: '/api/notes/',
    summary: 'Eine Notiz zu einem Tag festhalten',
    access: 'edit',
    body: NewNote,
    response: z.object({ note: Note }),
  },
  deleteNote: {
    method: 'DELETE',
    path: '/api/notes/{note}',
    summary: 'Eine Notiz löschen',
    access: 'edit',
    params: z.object({ note: ordinal }),
    response: Ok,
  },
} as const satisfies Record<string, Call>;
