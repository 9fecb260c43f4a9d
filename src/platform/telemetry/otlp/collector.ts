import { Agent, request } from 'undici';
import { z } from 'zod';
import type { TraceSettings } from './settings.ts';

/** Result of sending spans. `again`: they may be sent again, after `afterMs` if the collector gave a time. */
export type Verdict =
  | { readonly taken: true; readonly refused: number; readonly reason: string }
  | { readonly taken: false; readonly again: true; readonly afterMs: number | undefined; readonly reason: string }
  | { readonly taken: false; readonly again: false; readonly reason: string };

/** Status codes after which the protocol allows sending again; all other errors are permanent. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);
/** Longest wait that a collector can request: a longer one is cut to this. */
const LONGEST_WAIT_MS = 5 * 60_000;

const Answer = z
  .object({
    partialSuccess: z
      .object({ rejectedSpans: z.coerce.number().int().nonnegative().default(0), errorMessage: z.string().default('') })
      .optional(),
  })
  .catch({});

/** Sends spans to the collector. Its address is the operator's setting; users cannot choose it. */
export class Collector {
  private readonly settings: Pick<TraceSettings, 'address' | 'headers'>;
  private readonly agent: Agent;

  constructor(settings: Pick<TraceSettings, 'address' | 'headers'>, patienceMs: number) {
    this.settings = settings;
    this.agent = new Agent({
      allowH2: false,
      connections: 1,
      connect: { timeout: patienceMs },
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
    });
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  /** Posts a body; never throws. `now`: milliseconds since 1970, for a Retry-After with a date. */
  async post(body: string, signal: AbortSignal, now: number): Promise<Verdict> {
    try {
      const answer = await request(this.settings.address, {
        method: 'POST',
        dispatcher: this.agent,
        headers: { ...this.settings.headers, 'content-type': 'application/json' },
        body,
        signal,
      });
      const text = await answer.body.text();
      const status = answer.statusCode;
      if (status >= 200 && status < 300) {
        const { rejectedSpans = 0, errorMessage = '' } = Answer.parse(jsonOf(text)).partialSuccess ?? {};
        return { taken: true, refused: rejectedSpans, reason: errorMessage };
      }
      const reason = `HTTP ${status}`;
      if (!passing.has(status)) return { taken: false, again: false, reason };
      return { taken: false, again: true, afterMs: waitOf(answer.headers['retry-after'], now), reason };
    } catch (error) {
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : 'error';
      return { taken: false, again: true, afterMs: undefined, reason };
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

/** Parses Retry-After, seconds or a date; returns milliseconds. */
function waitOf(header: string | string[] | undefined, now: number): number | undefined {
  if (typeof header !== 'string') return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(LONGEST_WAIT_MS, Math.max(0, ms)) : undefined;
}
