import type { DetectedFormat } from '#shared/import/schema.ts';
import { FlatColumns } from '#feed/import/reader/flat-columns.ts';
import type { ImportRun, TextSource } from '#feed/import/reader/import-run.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { countText } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import { XmlEvents, type XmlHandler } from './xml-events.ts';
import { type CellSink, flattenBmecat, flattenItem, type XmlNode } from './xml-items.ts';
import { feedFile } from './xml-file.ts';
import { bmecatGroups, type Placed } from './bmecat-groups.ts';
import { XmlSurvey } from './xml-survey.ts';
import { isSpreadsheet, readSpreadsheet } from './spreadsheet-read.ts';
import { Warnings } from '#feed/import/reader/warnings.ts';

const googleNamespace = 'http://base.google.com/ns/1.0';
const surveyBytes = 64 * 1024 * 1024;

/** `path` '' means a document without items; `plain`: the items are texts without elements or attributes. */
type Shape = {
  path: string;
  plain: boolean;
  formatted: ReadonlySet<string>;
  bmecat: boolean;
  language: string;
  rename: (name: string) => string;
};

/** Feeds may declare any prefix for Google's namespace; the fields are always called `g:id` and so on. */
function googlePrefix(attributes: Readonly<Record<string, string>>): (name: string) => string {
  const declared = Object.entries(attributes)
    .find(([name, value]) => name.startsWith('xmlns:') && value === googleNamespace)?.[0]
    .slice(6);
  if (declared === undefined || declared === 'g') return (name) => name;
  return (name) => (name.startsWith(`${declared}:`) ? `g:${name.slice(declared.length + 1)}` : name);
}

/** BMEcat catalogues may write the prefix of their namespace before every name. */
function bmecatPrefix(root: string): (name: string) => string {
  const prefix = root.slice(0, root.lastIndexOf(':') + 1);
  return (name) => (prefix !== '' && name.startsWith(prefix) ? name.slice(prefix.length) : name);
}

async function survey(run: ImportRun, source: TextSource): Promise<XmlSurvey> {
  const found = new XmlSurvey();
  const events = new XmlEvents(found, run.limits, new Warnings());
  await feedFile(events, source, surveyBytes, () => run.onBytes(0));
  found.finish();
  return found;
}

function refuseError(error: string | undefined): void {
  if (error === undefined) return;
  throw new Refusal(
    'xml_error',
    `Die XML-Datei ist eine Fehlermeldung statt eines Katalogs („${error}“). Es wurde nichts importiert, der bisherige Stand bleibt. Bitte prüfen Sie die Adresse und die Zugangsdaten.`,
  );
}

function warnOfOthers(run: ImportRun, shape: XmlSurvey, path: string): void {
  const others = shape.othersLike(path);
  if (others.length === 0) return;
  run.warnings.once(
    'xml_others_left',
    `Gelesen wurden die Elemente „${path}“. Daneben stehen andere, die Artikel sein können: ${others
      .slice(0, 10)
      .map((other) => `„${other}“`)
      .join(', ')}. Sie blieben weg. Falls sie gemeint sind, nennen Sie in den Einstellungen ihr Element.`,
  );
}

function shapeOf(run: ImportRun, shape: XmlSurvey): Shape {
  const bmecat = /(^|:)BMECAT$/u.test(shape.root);
  const { element } = run.request.options;
  const items = element === undefined && !bmecat ? shape.items() : undefined;
  if (element === undefined && !bmecat && (!items || items.alone)) refuseError(shape.error());
  const path = element === undefined ? (items?.path ?? '') : shape.find(element);
  if (path === undefined) {
    const found = shape
      .candidates()
      .slice(0, 10)
      .map((candidate) => `„${candidate}“`)
      .join(', ');
    throw new Refusal(
      'element_missing',
      `Das Element „${element}“ kommt in der Datei nicht vor. Es wurde nichts importiert. Mögliche Elemente: ${found || 'keine'}.`,
    );
  }
  if (items?.alone) {
    run.warnings.once(
      'xml_one_item',
      `In der XML-Datei wiederholt sich kein Element. „${path}“ wurde als ein einziger Artikel gelesen. Bitte prüfen Sie, ob das stimmt, oder nennen Sie in den Einstellungen das Element der Artikel.`,
    );
  }
  if (items && !items.alone) warnOfOthers(run, shape, path);
  const group = bmecat ? undefined : shape.groupsAround(path)[0];
  if (group !== undefined)
    run.warnings.once(
      'xml_groups_left',
      `Die Artikel „${path}“ stehen in „${group}“, das eigene Werte hat. Diese wurden nicht übernommen. Falls Sie sie brauchen, zum Beispiel als Kategorie, liefern Sie sie bitte in jedem Artikel.`,
    );
  const rename = bmecat && element === undefined ? bmecatPrefix(shape.root) : googlePrefix(shape.rootAttributes);
  return {
    path,
    plain: shape.isPlain(path),
    formatted: new Set(shape.formatted(path).map((header) => header.split('/').map(rename).join('/'))),
    bmecat: bmecat && element === undefined,
    language: shape.language ?? 'deu',
    rename,
  };
}

/** Builds the items one by one and passes them to the staging. */
class ItemBuilder implements XmlHandler {
  private readonly run: ImportRun;
  private readonly shape: Shape;
  private readonly columns: FlatColumns;
  private readonly path: string[] = [];
  private nodes: XmlNode[] = [];
  private characters = 0;
  private readonly placed: ((number: string) => Placed) | undefined;

  constructor(run: ImportRun, shape: Shape, placed: ((number: string) => Placed) | undefined) {
    this.run = run;
    this.placed = placed;
    this.shape = shape;
    this.columns = new FlatColumns(run.columns);
  }

  private isItem(name: string): boolean {
    const { shape, path } = this;
    if (shape.bmecat)
      return /^(?:PRODUCT|ARTICLE)$/u.test(name) && path.length === 3 && shape.rename(path[1] ?? '').startsWith('T_');
    return path.join('/') === shape.path;
  }

  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void {
    this.path.push(name);
    const parent = this.nodes.at(-1);
    const called = this.shape.rename(name);
    if (!parent && !this.isItem(called)) return;
    const node = {
      name: called,
      attributes,
      children: [],
      text: '',
      at: parent?.text.length ?? 0,
      line,
    };
    parent?.children.push(node);
    this.nodes.push(node);
  }

  text(text: string): void {
    const node = this.nodes.at(-1);
    if (!node) return;
    this.characters += text.length;
    if (this.characters > this.run.limits.record) {
      throw new Refusal(
        'record_too_long',
        `Zeile ${node.line}: Ein Artikel ist größer als ${sizeText(this.run.limits.record)}. Es wurde nichts importiert. Bitte prüfen Sie die Datei.`,
        node.line,
      );
    }
    node.text += text;
  }

  close(): void {
    this.path.pop();
    const node = this.nodes.pop();
    if (node && this.nodes.length === 0) this.deliver(node);
  }

  private tellMarkup(header: string, line: number): void {
    this.run.warnings.count(
      'xml_markup',
      line,
      (count, first) =>
        `${countText(count)} ${count === 1 ? 'Text enthält' : 'Texte enthalten'} Formatierungen als XML-Elemente, zuerst „${header}“ in Zeile ${countText(first ?? 0)}. ${count === 1 ? 'Er wurde' : 'Sie wurden'} als HTML gelesen.`,
    );
  }

  private givePlaces({ children }: XmlNode, give: CellSink): void {
    const number = children.find(({ name }) => name === 'SUPPLIER_PID' || name === 'SUPPLIER_AID');
    const { ids = [], paths = [] } = this.placed?.(number?.text.trim() ?? '') ?? {};
    for (const path of paths) give('Kategorie', path);
    for (const id of ids) give('CATALOG_GROUP_ID', id);
  }

  private deliver(item: XmlNode): void {
    const { run } = this;
    const cells: string[] = [];
    const give = (header: string, value: string) => {
      const column = this.columns.at(header, header);
      const before = cells[column];
      cells[column] = before ? (value === '' ? before : `${before}\n${value}`) : value;
    };
    const { bmecat, plain, language, formatted } = this.shape;
    const to = { formatted, give, onMarkup: (header: string) => this.tellMarkup(header, item.line) };
    if (bmecat) {
      flattenBmecat(item, language, to);
      this.givePlaces(item, give);
    } else if (plain) give(item.name, item.text.trim());
    else flattenItem(item, to);
    this.characters = 0;
    run.rowsSeen += 1;
    run.progress.rows = run.rowsSeen;
    // Not for items that are a single text: an empty one may be an item.
    if (!plain && cells.every((cell) => !cell)) {
      run.rejects.reject(item.line, 'Der Artikel enthält keinen Wert.', `<${item.name}/>`);
      return;
    }
    const long = cells.some((cell) => cell !== undefined && cell.length > run.limits.cell);
    if (!long) run.staging.add(cells, item.line, run.rowsSeen);
    else
      run.rejects.reject(
        item.line,
        `Ein Wert ist größer als erlaubt (${sizeText(run.limits.cell)}).`,
        JSON.stringify(cells).slice(0, 10_000),
      );
  }
}

/** Reads an XML feed: Google RSS and Atom, BMEcat, any document with a repeating element, and Excel's XML. */
export async function readXml(run: ImportRun, source: TextSource): Promise<DetectedFormat> {
  const found = await survey(run, source);
  if (isSpreadsheet(found.root, found.rootAttributes)) return readSpreadsheet(run, source);
  const shape = shapeOf(run, found);
  const isGrouped = shape.bmecat && (found.holds('CATALOG_STRUCTURE') || found.holds('CATALOG_GROUP_ID'));
  const placed = isGrouped ? await bmecatGroups(run, source, shape.language, shape.rename) : undefined;
  const events = new XmlEvents(new ItemBuilder(run, shape, placed), run.limits, run.warnings);
  const before = run.rowsSeen;
  await feedFile(events, source, source.size - source.start, run.onBytes);
  if (run.rowsSeen === before) {
    run.warnings.once(
      'no_items',
      'In der XML-Datei stehen keine Artikel; sie wurde als leerer Katalog gelesen. Wenn doch welche darin stehen, nennen Sie bitte in den Einstellungen ihr Element.',
    );
  }
  const element = shape.bmecat ? 'BMEcat' : shape.path;
  return { format: 'xml', encoding: source.encoding, ...(element ? { element } : {}) };
}
