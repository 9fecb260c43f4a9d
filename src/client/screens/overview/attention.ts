import type { Export } from '#shared/exports/schema.ts';
import type { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import type { Master } from '#shared/masters/schema.ts';
import type { Run } from '#shared/runs/schema.ts';
import { goneSources } from '#shared/runs/words.ts';
import { pages } from '#shared/pages.ts';
import { moneyText } from '#shared/values/money-text.ts';
import { pathTo } from '#client/address.ts';
import { failedWords } from '#client/fields/runs/run-words.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import type { OverdueWorth, Sales } from './cockpit/sales.ts';

/** Something that a merchant should check. `stake`: the revenue at risk, in cents; 0 if unknown. */
export type Attention = {
  id: string;
  grave: boolean;
  text: string;
  detail: string;
  action: string;
  to: string;
  stake: number;
};
type Entry = Omit<Attention, 'stake'>;

type AttentionInput = {
  masters: readonly Master[];
  exports: readonly Export[];
  /** Runs that wait for their release behind the last run of their catalogue or export. */
  held: readonly Run[];
  sales: Sales | null;
  prices: AnswerOf<typeof api.waitingPrices>;
};

/**
 * Returns what needs attention: waiting orders and prices, failed and blocked runs, rejected rows, items with errors, catalogues
 * and exports without data. The most severe first, and among these the highest revenue at risk.
 */
export function attentionOf({ masters, exports, held, sales, prices }: AttentionInput): Attention[] {
  const heldOf = (owner: string) => held.find((run) => run.owner === owner) ?? null;
  const revenue = (id: string) => sales?.ofChannel[id] ?? 0;
  const ofExports = exports.flatMap((one) =>
    ofExport(one, heldOf(one.id)).map((entry) => atStake(entry, revenue(one.id))),
  );
  const ofMasters = masters.flatMap((master) => {
    const all = master.exports.reduce((sum, { id }) => sum + revenue(id), 0);
    return ofMaster(master, heldOf(master.masterid)).map((entry) => atStake(entry, all));
  });
  const found = [...(sales === null ? [] : ofOrders(sales)), ...ofPrices(prices), ...ofMasters, ...ofExports];
  return found.toSorted((a, b) => Number(b.grave) - Number(a.grave) || b.stake - a.stake);
}

function ofPrices({ count, masterid }: AttentionInput['prices']): Attention[] {
  if (masterid === null) return [];
  return [
    {
      id: 'prices-held',
      grave: true,
      text: formatCount(count, 'Preisfreigabe steht aus', 'Preisfreigaben stehen aus'),
      detail: 'Verkaufsalarme und Sicherungen halten Preise an, bis jemand sie angesehen und freigegeben hat.',
      action: 'Im Repricer ansehen',
      to: pathTo(pages.repricer, { masterid }),
      stake: 0,
    },
  ];
}

function atStake(entry: Entry, stake: number): Attention {
  const words = stake === 0 ? '' : ` Darüber liefen in 30 Tagen ${moneyText(stake)}.`;
  return { ...entry, detail: entry.detail + words, stake };
}

function ofOrders({ waiting: { overdue, cancel_requests, unclear }, overdue: worth }: Sales): Attention[] {
  const list = (filter: string) => `${pages.orders.path}?filter=${filter}`;
  const found: Attention[] = [];
  if (overdue > 0)
    found.push({
      id: 'orders-overdue',
      grave: true,
      text: `${formatCount(overdue, 'Bestellung ist', 'Bestellungen sind')} überfällig`,
      detail: `${worthWords(worth)}Marktplätze werten verspäteten Versand gegen Sie.`,
      action: 'Jetzt versenden',
      to: list('faellig'),
      stake: worth.cents['EUR'] ?? 0,
    });
  if (unclear > 0)
    found.push({
      id: 'orders-unclear',
      grave: true,
      text: `${formatCount(unclear, 'Bestellung braucht', 'Bestellungen brauchen')} eine Klärung`,
      detail: 'Was der Marktplatz davon ausgeführt hat, weiß niemand; Kontor sendet es nicht noch einmal.',
      action: 'Klären',
      to: list('klaerung'),
      stake: 0,
    });
  if (cancel_requests > 0)
    found.push({
      id: 'orders-wishes',
      grave: false,
      text: `${formatCount(cancel_requests, 'Käufer möchte', 'Käufer möchten')} stornieren`,
      detail: 'Entscheiden Sie, bevor die Ware das Haus verlässt.',
      action: 'Entscheiden',
      to: list('stornowunsch'),
      stake: 0,
    });
  return found;
}

const inSentence = new Intl.ListFormat('de');
/** Sort key: euro first, other currencies alphabetically. */
const rank = (currency: string): string => (currency === 'EUR' ? '' : currency);

/**
 * Formats the amount per currency, because different currencies have no sum. Empty if no price
 * is known, or if the user may not see it.
 */
function worthWords({ cents, partly }: OverdueWorth): string {
  const amounts = Object.entries(cents)
    .toSorted(([one], [other]) => rank(one).localeCompare(rank(other)))
    .map(([currency, sum]) => moneyText(sum, currency));
  return amounts.length === 0 ? '' : `Zusammen ${partly ? 'mindestens ' : ''}${inSentence.format(amounts)}. `;
}

function ofMaster({ masterid, name, lastRun, snapshot }: Master, held: Run | null): Entry[] {
  const to = pathTo(pages.import, { masterid });
  const entry = (kind: string, grave: boolean, text: string, detail: string, action: string): Entry => ({
    id: `${masterid}-${kind}`,
    grave,
    text,
    detail,
    action,
    to,
  });
  const failed =
    lastRun?.state === 'failed'
      ? [entry('failed', true, `Import von „${name}“ fehlgeschlagen`, failedWords(lastRun), 'Import ansehen')]
      : [];
  const waiting = lastRun?.state === 'blocked' ? lastRun : held;
  if (waiting !== null)
    return [
      ...failed,
      entry('blocked', true, `Import von „${name}“ wartet auf Freigabe`, waiting.message ?? '', 'Import prüfen'),
    ];
  if (failed.length > 0) return failed;
  if (lastRun !== null && (lastRun.rejected ?? 0) + (lastRun.duplicates ?? 0) > 0) {
    const rejected = lastRun.rejected ?? 0;
    const duplicates = lastRun.duplicates ?? 0;
    return [
      entry(
        'rejected',
        false,
        `${formatCount(rejected + duplicates, 'Zeile', 'Zeilen')} von „${name}“ nicht übernommen`,
        `${formatInteger(rejected)} abgelehnt, ${formatInteger(duplicates)} doppelt.`,
        'Zeilen ansehen',
      ),
    ];
  }
  if (snapshot === null && lastRun === null)
    return [
      entry(
        'empty',
        false,
        `„${name}“ hat noch keine Artikel`,
        'Importieren Sie eine Datei oder rufen Sie eine Adresse ab.',
        'Importieren',
      ),
    ];
  return [];
}

function ofExport(
  { id, settings: { name }, lastRun, uploadFailure, file, readiness }: Export,
  held: Run | null,
): Entry[] {
  const to = pathTo(pages.export, { id });
  const fileText = file === null ? '' : ' Die letzte Datei bleibt abrufbar.';
  const entry = ({ state, message }: Run): Entry => ({
    id: `${id}-${state}`,
    grave: true,
    text: `Export „${name}“ ${state === 'failed' ? 'fehlgeschlagen' : 'wartet auf Freigabe'}`,
    detail: `${message ?? ''}${fileText}`,
    action: 'Export ansehen',
    to,
  });
  const open = [lastRun, held].filter((run) => run?.state === 'failed' || run?.state === 'blocked');
  if (open.length > 0) return open.flatMap((run) => (run ? [entry(run)] : []));
  if (lastRun === null)
    return [
      {
        id: `${id}-never`,
        grave: false,
        text: `Export „${name}“ lief noch nie`,
        detail: 'Es gibt noch keine Datei zum Abrufen.',
        action: 'Export öffnen',
        to,
      },
    ];
  const gone = ofGoneSources(id, name, lastRun);
  if (uploadFailure !== null)
    return [
      ...gone,
      {
        id: `${id}-upload`,
        grave: true,
        text: `Export „${name}“: Datei nicht übertragen`,
        detail: `${uploadFailure} Der Kanal arbeitet mit dem, was er zuletzt bekam.`.trim(),
        action: 'Übertragung ansehen',
        to,
      },
    ];
  return [...gone, ...ofReadiness(id, name, readiness)];
}

/** A source that vanished leaves a whole field of the file empty, and the run ends well nevertheless. */
function ofGoneSources(id: string, name: string, { warnings }: Run): Entry[] {
  const gone = warnings.find((warning) => warning.startsWith(goneSources));
  if (gone === undefined) return [];
  return [
    {
      id: `${id}-sources`,
      grave: true,
      text: `Export „${name}“: Quelle fehlt, Werte bleiben leer`,
      detail: gone,
      action: 'Feldaufbau ansehen',
      to: pathTo(pages.construction, { id }),
    },
  ];
}

function ofReadiness(id: string, name: string, readiness: Export['readiness']): Entry[] {
  if (readiness === null || readiness.errors === 0) return [];
  const { errors, items } = readiness;
  const none = errors === items;
  return [
    {
      id: `${id}-errors`,
      grave: none,
      text: none
        ? `Export „${name}“: kein Artikel ist bereit`
        : `Export „${name}“: ${formatCount(errors, 'Artikel hat', 'Artikel haben')} Fehler`,
      detail: `${formatInteger(errors)} von ${formatCount(items, 'Artikel', 'Artikeln')} wird der Kanal voraussichtlich ablehnen.`,
      action: 'Diagnose ansehen',
      to: pathTo(pages.diagnosis, { id }),
    },
  ];
}
