import { SaxesParser } from 'saxes';
import type { Issue } from '#marketplaces/port.ts';

/** What a processing report says: how many messages there were, and those of them that it names. */
export type FeedReport = { processed: number; successful: number; failed: number; results: readonly FeedResult[] };
type FeedResult = { message: string; code: string; kind: 'error' | 'warning' | 'other'; description: string };

/** A report names every message that failed; no report of ours is near these numbers. */
const MOST_RESULTS = 100_000;
const DEEPEST = 20;

/**
 * Reads a processing report. Nothing in it is fetched or expanded: an entity of its own makes it unreadable. Undefined: it is none.
 */
export function readReport(xml: string): FeedReport | undefined {
  const parser = new SaxesParser({ xmlns: false });
  const path: string[] = [];
  const results: FeedResult[] = [];
  let isReport = false;
  let summary: Record<string, string> = {};
  let result: Record<string, string> | undefined;
  let text = '';
  let failed = false;
  parser.on('error', () => void (failed = true));
  parser.on('opentag', ({ name }) => {
    path.push(name);
    if (path.length > DEEPEST) failed = true;
    if (name === 'ProcessingReport') isReport = true;
    if (name === 'Result') result = {};
    text = '';
  });
  const hear = (more: string) => void (text += more);
  parser.on('text', hear);
  parser.on('cdata', hear);
  parser.on('closetag', ({ name }) => {
    path.pop();
    const inside = path.at(-1);
    if (name === 'Result' && result !== undefined && results.length < MOST_RESULTS) results.push(resultOf(result));
    if (name === 'Result') result = undefined;
    else if (inside === 'Result') result = { ...result, [name]: text.trim() };
    else if (inside === 'ProcessingSummary') summary = { ...summary, [name]: text.trim() };
    text = '';
  });
  // Fed in one piece, it stops at its first fault like in many.
  parser.write(xml).close();
  if (failed || !isReport) return undefined;
  const count = (name: string) => Number(summary[name] ?? Number.NaN);
  return {
    processed: count('MessagesProcessed'),
    successful: count('MessagesSuccessful'),
    failed: count('MessagesWithError'),
    results,
  };
}

function resultOf(found: Readonly<Record<string, string>>): FeedResult {
  const kind = (found['ResultCode'] ?? '').toLowerCase();
  return {
    message: found['MessageID'] ?? '',
    code: found['ResultMessageCode'] ?? '',
    kind: kind === 'error' || kind === 'warning' ? kind : 'other',
    description: found['ResultDescription'] ?? '',
  };
}

/** What a report says of one message; undefined: nothing that could be relied on. */
export function verdictOn(
  report: FeedReport,
  message: string,
): { done: boolean; issues: readonly Issue[] } | undefined {
  const { processed, successful, failed, results } = report;
  const issuesOf = (found: readonly FeedResult[]): Issue[] =>
    found.map(({ code, description }) => ({
      code: code === '' ? 'feed' : code,
      message: description === '' ? 'Amazon nennt keinen Grund.' : `Amazon meldet: ${description}`,
    }));
  const own = results.filter((one) => one.message === message);
  if (own.some(({ kind }) => kind === 'error'))
    return { done: false, issues: issuesOf(own.filter(({ kind }) => kind === 'error')) };
  const errors = results.filter(({ kind }) => kind === 'error');
  // An error of no message of its own concerns the whole document.
  const whole = errors.filter((one) => one.message === '' || one.message === '0');
  if (whole.length > 0 && successful === 0) return { done: false, issues: issuesOf(whole) };
  const named = new Set(errors.map((one) => one.message)).size;
  // Failed messages that the report does not name could be ours.
  if (!(processed > 0) || !(failed <= named)) return undefined;
  return { done: true, issues: issuesOf(own) };
}
