import type { Export } from '#shared/exports/schema.ts';
import type { Master } from '#shared/masters/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { failedWords } from '#client/fields/runs/run-words.ts';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';

/** Something a merchant should look at, the gravest first. */
export type Attention = { id: string; grave: boolean; text: string; detail: string; action: string; to: string };

/** What needs attention: failed and blocked runs, rejected rows, items with errors, catalogues and exports without data. */
export function attentionOf(masters: readonly Master[], exports: readonly Export[]): Attention[] {
  const found = [...masters.flatMap(ofMaster), ...exports.flatMap(ofExport)];
  return found.toSorted((a, b) => Number(b.grave) - Number(a.grave));
}

function ofMaster({ masterid, name, lastRun, snapshot }: Master): Attention[] {
  const to = pathTo(pages.import, { masterid });
  const entry = (kind: string, grave: boolean, text: string, detail: string, action: string): Attention => ({
    id: `${masterid}-${kind}`,
    grave,
    text,
    detail,
    action,
    to,
  });
  if (lastRun?.state === 'failed')
    return [entry('failed', true, `Import von „${name}“ fehlgeschlagen`, failedWords(lastRun), 'Import ansehen')];
  if (lastRun?.state === 'blocked')
    return [entry('blocked', true, `Import von „${name}“ wartet auf Freigabe`, lastRun.message ?? '', 'Import prüfen')];
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

function ofExport({ id, settings: { name }, lastRun, file, readiness }: Export): Attention[] {
  const to = pathTo(pages.export, { id });
  if (lastRun?.state === 'failed' || lastRun?.state === 'blocked') {
    const state = lastRun.state === 'failed' ? 'fehlgeschlagen' : 'wartet auf Freigabe';
    const fileText = file === null ? '' : ' Die letzte Datei bleibt abrufbar.';
    return [
      {
        id: `${id}-failed`,
        grave: true,
        text: `Export „${name}“ ${state}`,
        detail: `${lastRun.message ?? ''}${fileText}`,
        action: 'Export ansehen',
        to,
      },
    ];
  }
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
  if (readiness !== null && readiness.errors > 0) {
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
  return [];
}
