import type { CompanyEvent } from '#shared/live/schema.ts';
import { isRecord } from '#client/record.ts';

/**
 * Messages between the windows of one browser; `running` lists everything that is running. A newcomer says how old its data are
 * (`age`, see `api.companyLive`), and the answers are for it alone (`to`).
 */
export type Message =
  | { kind: 'running'; running: CompanyEvent[]; to?: string }
  | { kind: 'event'; event: CompanyEvent; to?: string }
  | { kind: 'newcomer'; age: number; from: string }
  | { kind: 'broken' };

// Parsed by hand, not by the schemas: every page needs the stream at once, and zod would be a sixth of what it loads for that.

/** Parses a company event. @throws Error for anything else */
export function companyEventOf(value: unknown): CompanyEvent {
  const { message, state, channel, masterid, outcome } = isRecord(value) ? value : {};
  if (
    (message !== 'import' && message !== 'channel' && message !== 'upload') ||
    (state !== 'run' && state !== 'idle') ||
    typeof channel !== 'string' ||
    typeof masterid !== 'string' ||
    !(outcome === undefined || isOutcome(outcome))
  )
    throw new Error(`not a live status event: ${JSON.stringify(value)}`);
  return { message, state, channel, masterid, ...(outcome === undefined ? {} : { outcome }) };
}

const outcomes = { failed: true, blocked: true, cancelled: true, discarded: true } as const satisfies Record<
  NonNullable<CompanyEvent['outcome']>,
  true
>;
const isOutcome = (value: unknown): value is keyof typeof outcomes =>
  typeof value === 'string' && Object.hasOwn(outcomes, value);

/** Parses a list of company events. @throws Error for anything else */
export function runningOf(value: unknown): CompanyEvent[] {
  if (!Array.isArray(value)) throw new Error(`not a list of running jobs: ${JSON.stringify(value)}`);
  return value.map(companyEventOf);
}

/** Parses a message of another window; undefined for one that this version of the page does not know. */
export function messageOf(value: unknown): Message | undefined {
  if (!isRecord(value)) return undefined;
  const { kind } = value;
  const to = typeof value['to'] === 'string' ? { to: value['to'] } : {};
  try {
    if (kind === 'running') return { kind, running: runningOf(value['running']), ...to };
    if (kind === 'event') return { kind, event: companyEventOf(value['event']), ...to };
  } catch {
    return undefined;
  }
  if (kind === 'newcomer') {
    const { age, from } = value;
    return { kind, age: Number(age ?? 0), from: typeof from === 'string' ? from : '' };
  }
  return kind === 'broken' ? { kind } : undefined;
}
