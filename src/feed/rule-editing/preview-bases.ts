import { createHash } from 'node:crypto';
import type { Rule } from '#engine/ir/rules.ts';
import { mattersBehind, previewFields } from '#engine/analysis/rule-preview.ts';
import type { Relation } from '#engine/duckdb/relation.ts';
import type { Live } from '#engine/duckdb/rule-batches.ts';
import type { DuckDb } from '#platform/duckdb/duckdb.ts';
import type { Asker } from './ask-items.ts';
import { StoredItems } from './stored-items.ts';

/** Where a question about a rule is asked: the items that reach it, and the rule alone. */
export type PreviewPlace = { readonly asker: Asker; readonly relation: Relation; readonly rules: readonly Rule[] };

/** `owner`: whose items these are, the snapshot included; `scope`: where somebody is editing. */
export type PreviewRequest = {
  readonly owner: string;
  readonly scope: string;
  readonly items: Relation;
  /** The rules that run, the asked one last. */
  readonly rules: readonly Rule[];
  readonly show: readonly string[];
};

/** Sizes: tables kept, bytes of all together, and how long one is kept that nobody asks. */
export type PreviewLimits = { readonly tables: number; readonly bytes: number; readonly idleMs: number };
const LIMITS: PreviewLimits = { tables: 4, bytes: 400 * 1024 * 1024, idleMs: 5 * 60 * 1000 };

type Base = { readonly scope: string; readonly items: StoredItems; timer: NodeJS.Timeout | undefined };

/**
 * The items before edited rules, kept while somebody is typing: a keystroke then costs the rule alone. A table is made
 * whether or not its first asker waits for it; it goes when it has not been asked for a while, or for newer ones. It is
 * named by its content (snapshot, and all that the rules above do), so it never gets stale.
 */
export class PreviewBases {
  private readonly duckdb: DuckDb;
  private readonly limits: PreviewLimits;
  /** The longest unasked first. */
  private readonly bases = new Map<string, Base>();

  constructor(duckdb: DuckDb, limits: PreviewLimits = LIMITS) {
    this.duckdb = duckdb;
    this.limits = limits;
  }

  /**
   * Answers a question from a kept table, making that first if need be. undefined: not from one, because the rules above
   * do not touch what is asked, the table would be too large, or too many are being made.
   */
  async ask<T>(
    question: PreviewRequest,
    work: (place: PreviewPlace) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    const [above, rule] = [question.rules.slice(0, -1), question.rules.at(-1)];
    if (!rule) return undefined;
    const live = previewFields(rule, question.show);
    // Items that come through other stages first are worth keeping as they are.
    const plain = question.items.steps.length <= 1;
    if (plain && !mattersBehind(question.items, above, live)) return undefined;
    const base = this.baseFor(question, above, live);
    return base?.items.use(({ session, relation }) => work({ asker: session, relation, rules: [rule] }), signal);
  }

  /** How many tables there are, and how much memory they take. */
  size(): { tables: number; bytes: number } {
    const all = [...this.bases.values()];
    return { tables: all.length, bytes: all.reduce((sum, { items }) => sum + items.bytes, 0) };
  }

  /** Drops everything; for the end of the program. */
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
    // Fields chosen before may be chosen again, unless they were too many.
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

  /** Room for one more table; tables that are being made for somebody stay. */
  private hasRoom(scope: string): boolean {
    for (const [key, { scope: other, items }] of this.bases) {
      // Whoever edits another rule now does not wait for the one before.
      if (other === scope && items.state === 'making' && items.users === 0) this.drop(key);
    }
    for (const [key, { items }] of this.bases) {
      if (this.bases.size < this.limits.tables) break;
      if (items.state !== 'making') this.drop(key);
    }
    return this.bases.size < this.limits.tables;
  }

  /** When a table is made, others go until all fit, the longest unasked first. */
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

/** A table that holds what is asked, or is known to be too large for just that. */
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
