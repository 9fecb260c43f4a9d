import { createHash } from 'node:crypto';
import type { Rule } from '#engine/ir/rules.ts';
import { affectsLaterRules, previewFields } from '#engine/analysis/rule-preview.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import type { Live } from '#engine/duckdb/rule-batches.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { StatementRunner } from './ask-items.ts';
import { StoredItems } from './stored-items.ts';

/** Where a query about a rule runs: the items that reach the rule, and the rule alone. */
export type PreviewPlace = {
  readonly asker: StatementRunner;
  readonly relation: Relation;
  readonly rules: readonly Rule[];
};

/** `owner`: identifies the items, including their snapshot; `scope`: where a user is editing. */
export type PreviewRequest = {
  readonly owner: string;
  readonly scope: string;
  readonly items: Relation;
  /** The rules that run, the requested one last. */
  readonly rules: readonly Rule[];
  readonly show: readonly string[];
};

/** The most tables, the most bytes of all together, and the milliseconds for which an unused table is stored. */
export type PreviewLimits = { readonly tables: number; readonly bytes: number; readonly idleMs: number };
const LIMITS: PreviewLimits = { tables: 4, bytes: 400 * 1024 * 1024, idleMs: 5 * 60 * 1000 };

type Base = { readonly scope: string; readonly items: StoredItems; timer: NodeJS.Timeout | undefined };

/**
 * Stores the items that reach an edited rule while a user types: each keystroke then runs only that rule. A table is completed
 * even if its first caller does not wait for it; it is dropped when unused for a while, or to make room for newer ones. Its key
 * is its content (snapshot and rules above), so it never becomes stale.
 */
export class PreviewBases {
  private readonly duckdb: DuckDb;
  private readonly limits: PreviewLimits;
  /** Least recently used first. */
  private readonly bases = new Map<string, Base>();

  constructor(duckdb: DuckDb, limits: PreviewLimits = LIMITS) {
    this.duckdb = duckdb;
    this.limits = limits;
  }

  /**
   * Answers a query from a stored table, creating that if necessary. undefined: not answered from a table, because the rules
   * above do not affect the result, the table would be too large, or too many are being made.
   */
  async ask<T>(
    question: PreviewRequest,
    work: (place: PreviewPlace) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    const [above, rule] = [question.rules.slice(0, -1), question.rules.at(-1)];
    if (!rule) return undefined;
    const live = previewFields(rule, question.show);
    // Items that first pass through other stages are worth storing even if the rules above change nothing.
    const plain = question.items.steps.length <= 1;
    if (plain && !affectsLaterRules(question.items, above, live)) return undefined;
    const base = this.baseFor(question, above, live);
    return base?.items.use(({ session, relation }) => work({ asker: session, relation, rules: [rule] }), signal);
  }

  /** The number of tables, and the bytes of memory they take. */
  size(): { tables: number; bytes: number } {
    const all = [...this.bases.values()];
    return { tables: all.length, bytes: all.reduce((sum, { items }) => sum + items.bytes, 0) };
  }

  /** Drops all tables, at shutdown. */
  close(): void {
    for (const key of this.bases.keys()) this.drop(key);
  }

  private baseFor(question: PreviewRequest, above: readonly Rule[], live: Live): Base | undefined {
    const key = keyOf(question.owner, above);
    const known = this.bases.get(key);
    if (known && !known.items.isLost && serves(known.items, live)) {
      this.bases.delete(key);
      this.bases.set(key, known);
      this.restart(key, known);
      return known;
    }
    // Fields requested before may be requested again, unless they were too many.
    const fields = known && known.items.state !== 'refused' ? union(known.items.fields, live) : live;
    this.drop(key);
    if (!this.hasRoom(question.scope)) return undefined;
    const keptItems = new StoredItems(this.duckdb, { items: question.items, above, fields, most: this.limits.bytes });
    const base: Base = { scope: question.scope, items: keptItems, timer: undefined };
    this.bases.set(key, base);
    this.restart(key, base);
    void this.makeRoomFor(keptItems);
    return base;
  }

  /** Makes room for one more table; tables that a caller waits for stay. */
  private hasRoom(scope: string): boolean {
    for (const [key, { scope: other, items }] of this.bases) {
      // A user who now edits another rule no longer waits for the previous one.
      if (other === scope && items.state === 'making' && items.users === 0) this.drop(key);
    }
    for (const [key, { items }] of this.bases) {
      if (this.bases.size < this.limits.tables) break;
      if (items.state !== 'making') this.drop(key);
    }
    return this.bases.size < this.limits.tables;
  }

  /** Once a table is made, drops others, least recently used first, until all fit. */
  private async makeRoomFor(made: StoredItems): Promise<void> {
    await made.made;
    for (const key of this.bases.keys()) {
      if (this.size().bytes <= this.limits.bytes) return;
      this.drop(key);
    }
  }

  private restart(key: string, base: Base): void {
    clearTimeout(base.timer);
    base.timer = setTimeout(() => {
      if (this.bases.get(key) === base) this.drop(key);
    }, this.limits.idleMs).unref();
  }

  private drop(key: string): void {
    const base = this.bases.get(key);
    if (!base) return;
    clearTimeout(base.timer);
    this.bases.delete(key);
    base.items.drop();
  }
}

/** Whether a table holds the requested fields, or is known to be too large for exactly these. */
function serves({ state, fields }: StoredItems, live: Live): boolean {
  return covers(fields, live) && (state !== 'refused' || covers(live, fields));
}

function keyOf(owner: string, above: readonly Rule[]): string {
  const content = JSON.stringify(above.map((rule) => ({ ...rule, id: '' })));
  return `${owner}/${createHash('sha256').update(content).digest('base64')}`;
}

function covers(has: Live, wanted: Live): boolean {
  if (has === 'all') return true;
  return wanted !== 'all' && [...wanted].every((field) => has.has(field));
}

function union(one: Live, other: Live): Live {
  return one === 'all' || other === 'all' ? 'all' : new Set([...one, ...other]);
}
