import { SaxesParser } from 'saxes';
import type { Issue } from '#marketplaces/port.ts';

/** A processing report: the numbers of messages, and the messages that it names. */
export type FeedReport = { processed: number; successful: number; failed: number; results: readonly FeedResult[] };
type FeedResult = { message: string; code: string; kind: 'error' | 'warning' | 'other'; description: string };

/** Limits of a report, which names every failed message; our reports are far below them. */
const MOST_RESULTS = 100_000;
const DEEPEST = 20;

/**
 * Parses a processing report. Nothing in it is fetched or expanded: a document that declares an entity is unreadable. Undefined:
 * it is no readable report.
 */
export function readReport(xml: string): FeedReport | undefined {
  const reader = new ReportReader();
  try {
    reader.read(xml);
  } catch {
    return undefined;
  }
  return reader.report;
}

/** Texts of the child elements of one result, or of the summary, by name. */
type Texts = Record<string, string>;

class ReportReader {
  private readonly path: string[] = [];
  private readonly results: FeedResult[] = [];
  private isReport = false;
  private summary: Texts = {};
  private result: Texts = {};
  private text = '';

  get report(): FeedReport | undefined {
    if (!this.isReport) return undefined;
    const count = (name: string) => Number(this.summary[name] ?? Number.NaN);
    return {
      processed: count('MessagesProcessed'),
      successful: count('MessagesSuccessful'),
      failed: count('MessagesWithError'),
      results: this.results,
    };
  }

  /** @throws at the first syntax error */
  read(xml: string): void {
    const parser = new SaxesParser({ xmlns: false });
    parser.on('error', (error) => {
      throw error;
    });
    parser.on('opentag', ({ name }) => this.enter(name));
    parser.on('text', (text) => void (this.text += text));
    parser.on('cdata', (text) => void (this.text += text));
    parser.on('closetag', ({ name }) => this.leave(name));
    parser.write(xml).close();
  }

  private enter(name: string): void {
    this.path.push(name);
    if (this.path.length > DEEPEST || this.results.length > MOST_RESULTS)
      throw new Error('the feed report is too deep or has too many results');
    if (name === 'ProcessingReport') this.isReport = true;
    if (name === 'Result') this.result = {};
    this.text = '';
  }

  private leave(name: string): void {
    this.path.pop();
    const inside = this.path.at(-1);
    if (name === 'Result') this.results.push(resultOf(this.result));
    else if (inside === 'Result') this.result[name] = this.text.trim();
    else if (inside === 'ProcessingSummary') this.summary[name] = this.text.trim();
    this.text = '';
  }
}

function resultOf(found: Readonly<Texts>): FeedResult {
  const kind = (found['ResultCode'] ?? '').toLowerCase();
  return {
    message: found['MessageID'] ?? '',
    code: found['ResultMessageCode'] ?? '',
    kind: kind === 'error' || kind === 'warning' ? kind : 'other',
    description: found['ResultDescription'] ?? '',
  };
}

/** Returns what a report says of one message; undefined: nothing reliable. */
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
  // An error without a message number of its own concerns the whole document.
  const whole = errors.filter((one) => one.message === '' || one.message === '0');
  if (whole.length > 0 && successful === 0) return { done: false, issues: issuesOf(whole) };
  const named = new Set(errors.map((one) => one.message)).size;
  // Failed messages that the report does not name could be ours.
  if (!(processed > 0) || !(failed <= named)) return undefined;
  return { done: true, issues: issuesOf(own) };
}
