import type { ImportRun } from '#feed/import/reader/import-run.ts';
import { isContainerName, isErrorName, isHeadName, isItemName, isListName } from '#feed/import/reader/item-names.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import type { JsonList, JsonSurvey } from './json-survey.ts';

const shown = (list: JsonList): string => `„${list.path || '(oberste Ebene)'}“ (${countText(list.count)})`;

/** Rates a list by its name: 3 = a name of items, 2 = a container of items, 1 = any other, 0 = a list next to items. */
function nameRank({ path }: JsonList): number {
  const [name = '', above = ''] = path.split('.').toReversed();
  if (isListName(name) || isItemName(name) || (isContainerName(name) && isListName(above))) return 3;
  if (isContainerName(name)) return 2;
  return isHeadName(name) ? 0 : 1;
}

/** Ranks a list by name (an empty list below any that may hold items), then by fields per member in coarse steps, then length. */
function ranks(list: JsonList): [number, number, number] {
  const name = nameRank(list);
  const fields = list.count === 0 ? 0 : list.fields / list.count;
  return [list.count > 0 ? name : name / 2 - 0.25, Math.min(3, Math.floor(Math.log2(Math.max(1, fields)))), list.count];
}

function mayBeItems(list: JsonList): boolean {
  const [name = ''] = list.path.split('.').toReversed();
  if (isErrorName(name)) return false;
  if (list.count === 0) return list.path === '' || nameRank(list) >= 2;
  return list.kind !== 'rows' || list.path === '' || list.headers !== undefined || nameRank(list) >= 2;
}

function better(a: JsonList, b: JsonList): number {
  const [first, second] = [ranks(a), ranks(b)];
  return second[0] - first[0] || second[1] - first[1] || second[2] - first[2] || a.path.length - b.path.length;
}

function chosenByHand(run: ImportRun, survey: JsonSurvey, element: string): JsonList {
  if (survey.wanted) return survey.wanted;
  const found = survey.lists().filter(({ count }) => count > 0);
  throw new Refusal(
    'element_missing',
    `Die Liste „${element}“ kommt in der Datei nicht vor. Es wurde nichts importiert. Gefunden: ${found.slice(0, 10).map(shown).join(', ') || 'keine Liste von Objekten'}.`,
  );
}

function refuseColumns(): never {
  throw new Refusal(
    'json_columns',
    'Die JSON-Datei ist spaltenweise aufgebaut: Zu jedem Feld stehen die Werte aller Artikel. Es wurde nichts importiert. Bitte liefern Sie eine Liste mit einem Objekt je Artikel.',
  );
}

function refuseNoItems(error: string | undefined): never {
  throw new Refusal(
    'json_no_items',
    error === undefined
      ? 'Die JSON-Datei enthält keine Liste von Artikeln (Objekten). Es wurde nichts importiert. Bitte liefern Sie eine Liste von Objekten.'
      : `Die JSON-Datei ist eine Fehlermeldung statt einer Liste von Artikeln: „${error}“. Es wurde nichts importiert. Bitte prüfen Sie die Adresse und die Zugangsdaten.`,
  );
}

/** Returns the list to read as items: the one that the merchant named, otherwise the one that suits best. */
export function chooseItems(run: ImportRun, survey: JsonSurvey): JsonList {
  const { element } = run.request.options;
  if (element !== undefined) return chosenByHand(run, survey, element);
  const lists = survey.isItem ? [] : survey.lists().filter(mayBeItems).toSorted(better);
  const [best] = lists;
  if (best) {
    const longest = lists.reduce((most, list) => (list.count > most.count ? list : most), best);
    if (longest !== best) {
      run.warnings.once(
        'json_list_chosen',
        `Die JSON-Datei enthält mehrere Listen. Gelesen wurde ${shown(best)}, nicht die längere ${shown(longest)}. Bitte nennen Sie in den Einstellungen die Liste, wenn das nicht stimmt.`,
      );
    }
    return best;
  }
  if (survey.outermost !== '{') refuseNoItems(undefined);
  if (survey.isEmpty) return { path: '', kind: 'objects', count: 0, fields: 0 };
  if (survey.columns) refuseColumns();
  if (!survey.isItem && survey.error !== undefined) refuseNoItems(survey.error);
  return { path: '', kind: 'single', count: 1, fields: 0 };
}

/** Adds warnings about anything unexpected in the way the document was read. */
export function notifyAbout(run: ImportRun, list: JsonList): void {
  const where = list.path === '' ? 'der JSON-Datei' : `„${list.path}“`;
  if (list.count === 0) {
    run.warnings.once(
      'no_items',
      `In ${where} stehen keine Artikel; die Datei wurde als leerer Katalog gelesen. Wenn doch welche darin stehen, nennen Sie bitte in den Einstellungen ihre Liste.`,
    );
  } else if (list.pages) {
    run.warnings.once(
      'json_pages',
      `Die Liste in ${where} besteht aus Seiten (${countText(list.pages.count)}). Gelesen wurden die Artikel unter „${list.pages.path}“ aller Seiten; was sonst auf den Seiten steht, gehört zu keinem Artikel.${list.path === '' ? '' : ' Sind die Seiten selbst die Artikel, nennen Sie diese Liste bitte in den Einstellungen.'}`,
    );
  } else if (list.kind === 'keyed') {
    const keyText = list.keyField === undefined ? '' : ` Der Schlüssel ist als Feld „${list.keyField}“ übernommen.`;
    run.warnings.once(
      'json_keyed_items',
      `Die Artikel stehen in ${where} nicht als Liste, sondern unter Schlüsseln (zuerst „${list.firstKey?.slice(0, 60) ?? ''}“); jeder wurde als ein Artikel gelesen.${keyText}`,
    );
  } else if (list.kind === 'single' && run.request.options.element === undefined) {
    run.warnings.once(
      'json_single_item',
      `Die JSON-Datei enthält keine Liste von Artikeln; sie wurde als ein einziger Artikel gelesen. Bitte prüfen Sie, ob das stimmt, oder nennen Sie in den Einstellungen die Liste.`,
    );
  }
}
