import { api } from '#shared/http/api.ts';
import type { Firm } from './firms.ts';

const STUCK_SECONDS = 240;
const kinds = ['rule', 'difference', 'export'] as const;
type Kind = (typeof kinds)[number];
/** The last value answered with 2xx, and the last one requested: after a kill either may be stored, nothing else. */
type Count = { acknowledged: number; asked: number };
type Ordered = { firm: Firm; runid: string; what: string; since: number };

/** Records what the program acknowledged, and checks that it still exists. */
export class Journal {
  readonly faults: string[] = [];
  uploads = 0;
  exports = 0;
  saves = 0;
  private readonly counts = new Map<string, Count>();
  private ordered: Ordered[] = [];

  /** Increments one of a company's documents and saves it. */
  async save(firm: Firm, turn: number): Promise<void> {
    const kind = kinds[turn % kinds.length] ?? 'rule';
    const count = this.countOf(firm, kind);
    count.asked = count.acknowledged + 1;
    await savers[kind](firm, count.asked);
    count.acknowledged = count.asked;
    this.saves++;
  }

  took(firm: Firm, runid: string, what: 'Upload' | 'Export'): void {
    if (what === 'Upload') this.uploads++;
    else this.exports++;
    this.ordered.push({ firm, runid, what, since: performance.now() });
  }

  get open(): number {
    return this.ordered.length;
  }

  /** Removes runs that ended; a run that takes too long, or did not end well, is an error. */
  async checkRuns(): Promise<void> {
    const left: Ordered[] = [];
    const checked = [...this.ordered];
    for (const one of checked) {
      const { state, message } = await one.firm.client.ask(api.run, { runid: one.runid });
      const seconds = Math.round((performance.now() - one.since) / 1000);
      if (state === 'queued' || state === 'running') {
        if (seconds > STUCK_SECONDS) this.faults.push(`${label(one)} ist nach ${seconds} s noch ${state}`);
        else left.push(one);
      } else if (state !== 'done') this.faults.push(`${label(one)} endete als ${state}: ${message ?? ''}`);
    }
    // More runs were created meanwhile.
    const looked = checked.filter((one) => !left.includes(one));
    this.ordered = this.ordered.filter((one) => !looked.includes(one));
  }

  /** Checks that every document has its last acknowledged value. */
  async checkSaves(firms: readonly Firm[]): Promise<void> {
    for (const firm of firms)
      for (const kind of kinds) {
        const count = this.countOf(firm, kind);
        const stored = await readers[kind](firm);
        const fits = [count.acknowledged, count.asked].some((wanted) => stored === wireOf(kind, wanted));
        if (!fits && count.asked > 0)
          this.faults.push(
            `${firm.name}: ${kind} steht auf ${stored}, bestätigt war ${wireOf(kind, count.acknowledged)}`,
          );
        if (stored === wireOf(kind, count.asked)) count.acknowledged = count.asked;
      }
  }

  private countOf(firm: Firm, kind: Kind): Count {
    const key = `${firm.name} ${kind}`;
    const found = this.counts.get(key) ?? { acknowledged: 0, asked: 0 };
    this.counts.set(key, found);
    return found;
  }
}

const label = ({ firm, what, runid }: Ordered) => `${firm.name}: ${what} ${runid}`;
/** Value of a document that was never saved: a catalogue has no limit for its imports at first. */
const UNSAVED = -9;
/** Returns the value on the wire; a share counts up to 90 and starts again. */
function wireOf(kind: Kind, count: number): number {
  if (kind !== 'difference') return count;
  return count === 0 ? UNSAVED : 1 + (count % 90);
}

const savers: Readonly<Record<Kind, (firm: Firm, count: number) => Promise<unknown>>> = {
  rule: ({ client, masterid }, count) =>
    client.ask(api.saveRules, { masterid }, [
      { id: 'AAAAAAAAAA', name: String(count), description: '', active: false, querys: [], actions: [] },
    ]),
  difference: ({ client, masterid }, count) =>
    client.ask(
      api.saveImportDifference,
      { masterid },
      { action_on_difference: 'block_send', neg_difference: 90, pos_difference: wireOf('difference', count) - UNSAVED },
    ),
  export: async ({ client, exportid }, count) => {
    const { settings } = await client.ask(api.export, { id: exportid });
    return client.ask(api.saveExport, { id: exportid }, { ...settings, name: `Export ${count}` });
  },
};
const readers: Readonly<Record<Kind, (firm: Firm) => Promise<number>>> = {
  rule: async ({ client, masterid }) => Number((await client.ask(api.rules, { masterid }))[0]?.name ?? 0),
  difference: async ({ client, masterid }) =>
    (await client.ask(api.importDifference, { masterid })).settings.pos_difference + UNSAVED,
  export: async ({ client, exportid }) =>
    Number(/\d+$/.exec((await client.ask(api.export, { id: exportid })).settings.name)?.[0] ?? 0),
};
