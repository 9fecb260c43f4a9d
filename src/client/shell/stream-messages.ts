import type { CompanyEvent } from '#shared/live/schema.ts';
import { isRecord } from '#client/record.ts';

/** What the windows of one browser tell each other; `running` is the whole of what runs. */
export type Message =
  | { kind: 'running'; running: CompanyEvent[] }
  | { kind: 'event'; event: CompanyEvent }
  | { kind: 'broken' | 'newcomer' };

// Read by hand and not by the schemas: every page hears the stream at once, and zod is a sixth of what it would load for that.

/** @throws Error for what is no event of a company */
export function companyEventOf(value: unknown): CompanyEvent {
  const { message, state, channel, masterid } = isRecord(value) ? value : {};
  if (
    (message !== 'import' && message !== 'channel' && message !== 'upload') ||
    (state !== 'run' && state !== 'idle') ||
    typeof channel !== 'string' ||
    typeof masterid !== 'string'
  )
    throw new Error(`no event of the live status: ${JSON.stringify(value)}`);
  return { message, state, channel, masterid };
}

/** @throws Error for what is no list of events */
export function runningOf(value: unknown): CompanyEvent[] {
  if (!Array.isArray(value)) throw new Error(`no list of what runs: ${JSON.stringify(value)}`);
  return value.map(companyEventOf);
}

/** A message of another window; undefined for what this version of the page does not know. */
export function messageOf(value: unknown): Message | undefined {
  if (!isRecord(value)) return undefined;
  const { kind } = value;
  try {
    if (kind === 'running') return { kind, running: runningOf(value['running']) };
    if (kind === 'event') return { kind, event: companyEventOf(value['event']) };
  } catch {
    return undefined;
  }
  return kind === 'broken' || kind === 'newcomer' ? { kind } : undefined;
}
