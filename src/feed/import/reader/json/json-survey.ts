import { isColumnsName, isErrorName, isListName } from '#feed/import/reader/item-names.ts';
import { isItemNumber } from '#feed/import/reader/key.ts';
import type { ImportLimits } from '#feed/import/reader/limits.ts';
import { scalarText } from './json-items.ts';
import type { JsonText, JsonValue } from './json-text.ts';
import { type PageContent, PageShape } from './json-pages.ts';
import { MemberKeys, ObjectKeys, type ObjectShape } from './member-keys.ts';

/**
 * A part of a document that may be the items; `path` has dots between keys, '' is the outermost value. `objects`: a list of
 * objects; `pages`: a list of objects with a list of items in each; `keyed`: an object with the items under their keys; `rows`: a
 * list of lists; `single`: an object that is one item.
 */
export type JsonList = {
  path: string;
  kind: 'objects' | 'pages' | 'keyed' | 'rows' | 'single';
  count: number;
  /** Number of values of all members together. */
  fields: number;
  /** `rows`: names of the columns, if the document has them next to the list. */
  headers?: string[];
  /** `keyed`: the first key, and the name of the field that stores the keys. */
  firstKey?: string;
  keyField?: string;
  /** `pages`: where the items are in each, and how many there are. */
  pages?: { path: string; count: number };
};

/** A document may have a list in each of its items, all with different paths. */
const maxLists = 20_000;

/** Walks a whole document once and collects the lists that may be the items. Keeps names, never values. */
export class JsonSurvey {
  private readonly text: JsonText;
  private readonly limits: ImportLimits;
  private readonly wantedPath: string | undefined;
  /** In document order; lists found inside a keyed list are removed again. */
  private readonly found: JsonList[] = [];
  wanted: JsonList | undefined;
  outermost = '';
  /** The outermost object has an item number. */
  isItem = false;
  /** The outermost object is empty. */
  isEmpty = false;
  /** Text of the first error in the outermost object. */
  error: string | undefined;
  /** A table by columns was found. */
  columns = false;

  constructor(text: JsonText, limits: ImportLimits, wanted: string | undefined) {
    this.text = text;
    this.limits = limits;
    this.wantedPath = wanted;
  }

  walk(): void {
    this.outermost = this.text.peek();
    if (this.outermost === '{') this.isEmpty = this.object('', 0, undefined).size === 0;
    else if (this.outermost === '[') this.array('', 0, '');
    else this.text.value(0, false);
    this.text.end();
  }

  /** Returns each path once, with the largest list found there. */
  lists(): JsonList[] {
    const byPath = new Map<string, JsonList>();
    for (const list of this.found) {
      const known = byPath.get(list.path);
      if (!known || known.count < list.count) byPath.set(list.path, list);
    }
    return [...byPath.values()];
  }

  private add(list: JsonList): void {
    if (list.path === this.wantedPath) this.wanted = list;
    if (this.found.length < maxLists) this.found.push(list);
  }

  private object(path: string, depth: number, ownKey: string | undefined): ObjectShape {
    const mark = this.found.length;
    const members = new MemberKeys();
    const keys = new ObjectKeys(ownKey);
    const columnLengths: number[] = [];
    let headers: string[] | undefined;
    this.text.members((key) => {
      const here = path === '' ? key : `${path}.${key}`;
      const char = this.text.peek();
      if (char === '{' && depth < 60) {
        const shape = this.object(here, depth + 1, key);
        members.add(key, shape);
        if (depth === 0 && shape.size > 0) this.lookForError(key, key);
        keys.add(key, undefined);
        return;
      }
      members.addOther();
      if (char === '[') {
        const array = this.array(here, depth + 1, key);
        if (array.names.length > 0) headers ??= array.names;
        columnLengths.push(array.scalars);
        if (depth === 0 && array.count > 0) this.lookForError(key, key);
        keys.add(key, undefined);
      } else keys.add(key, this.scalar(here, key, depth + 1));
    });
    if (headers) this.nameColumns(mark, path, headers);
    if (depth === 0) this.columns ||= areColumns(columnLengths, keys.shape.size);
    this.judge(path, mark, members, keys.shape.size);
    return keys.shape;
  }

  /** Decides what an object is, once all of its members are known. */
  private judge(path: string, mark: number, members: MemberKeys, size: number): void {
    const { members: count, fields, first: firstKey } = members;
    const keyField = members.keyField();
    const keyed: JsonList = { path, kind: 'keyed', count, fields, firstKey, ...(keyField ? { keyField } : {}) };
    const name = path.slice(path.lastIndexOf('.') + 1);
    if (members.isColumns()) this.columns = true;
    else if (members.isList() || (members.allObjects && isListName(name))) {
      this.found.length = Math.min(this.found.length, mark);
      this.add(keyed);
    } else if (size === 0 && isListName(name)) this.add({ path, kind: 'objects', count: 0, fields: 0 });
    if (path !== this.wantedPath || this.wanted) return;
    this.wanted = members.allObjects ? keyed : { path, kind: 'single', count: 1, fields: size };
  }

  private scalar(path: string, key: string, depth: number): string | undefined {
    const value = this.text.value(depth, false);
    if (path === key) this.lookAtRoot(key, value);
    if (value === null && isListName(key)) this.add({ path, kind: 'objects', count: 0, fields: 0 });
    return scalarText(value);
  }

  private lookAtRoot(key: string, value: JsonValue): void {
    const text = scalarText(value) ?? '';
    if (text === '' || text === 'false') return;
    this.lookForError(key, text);
    if (isItemNumber(key)) this.isItem = true;
  }

  private lookForError(key: string, text: string): void {
    if (isErrorName(key)) this.error ??= text.slice(0, 200);
  }

  /** `names`: content of a list of column names; `scalars`: number of scalar values; `count`: scalars and objects. */
  private array(path: string, depth: number, key: string): { names: string[]; scalars: number; count: number } {
    const list: JsonList = { path, kind: 'objects', count: 0, fields: 0 };
    const naming = isColumnsName(key);
    const names: string[] = [];
    const pages = new PageShape(key);
    let rows = 0;
    let scalars = 0;
    this.text.elements(() => {
      const char = this.text.peek();
      if (naming && char !== '[') {
        const value = this.text.value(depth + 1, true);
        if (names.length < this.limits.columns) names.push(columnName(value));
        list.fields += value instanceof Map ? value.size : 0;
      } else if (char === '{' && pages.refuted) this.text.members(() => this.skip(depth + 2, list));
      else if (char === '{') list.fields += this.element(depth + 1, pages);
      else if (char === '[') this.text.elements(() => this.skip(depth + 2, list));
      else this.text.value(depth + 1, false);
      if (char === '{') list.count += 1;
      else if (char === '[') rows += 1;
      else scalars += 1;
    });
    if (list.count === 0 && rows > 0) this.add({ ...list, kind: 'rows', count: list.fields > 0 ? rows : 0 });
    else if (pages.path !== undefined && !pages.refuted && rows + scalars === 0 && path !== this.wantedPath)
      this.add({
        path,
        kind: 'pages',
        count: pages.count,
        fields: pages.fields,
        pages: { path: pages.path, count: pages.pages },
      });
    else if (list.count > 0 || scalars === 0) this.add(list);
    return { names: names.some((name) => name !== '') ? names : [], scalars, count: list.count + scalars };
  }

  /** Returns the number of an element's members. */
  private element(depth: number, pages: PageShape): number {
    const content: PageContent = { names: [], arrays: [] };
    let members = 0;
    this.text.members((key) => {
      members += 1;
      this.inside(key, key, depth + 1, content);
    });
    pages.add(content);
    return members;
  }

  private inside(path: string, key: string, depth: number, content: PageContent): void {
    const char = this.text.peek();
    if (char === '{' && depth < 60)
      this.text.members((inner) => this.inside(`${path}.${inner}`, inner, depth + 1, content));
    else if (char === '[' && depth < 60) {
      const array = { path, count: 0, fields: 0 };
      let others = 0;
      this.text.elements(() => {
        if (this.text.peek() !== '{') others += 1;
        else array.count += 1;
        if (this.text.peek() === '{') this.text.members(() => this.skip(depth + 2, array));
        else this.text.value(depth + 1, false);
      });
      if (others === 0) content.arrays.push(array);
    } else {
      content.names.push(key);
      this.text.value(depth, false);
    }
  }

  private skip(depth: number, list: { fields: number }): void {
    list.fields += 1;
    this.text.value(depth, false);
  }

  private nameColumns(mark: number, path: string, headers: string[]): void {
    const prefix = path === '' ? '' : `${path}.`;
    for (const list of this.found.slice(mark))
      if (list.kind === 'rows' && list.path.startsWith(prefix) && !list.path.slice(prefix.length).includes('.'))
        list.headers = headers;
  }
}

function columnName(value: JsonValue): string {
  if (!(value instanceof Map)) return scalarText(value) ?? '';
  for (const key of ['name', 'field', 'key', 'title', 'label', 'data', 'id']) {
    const text = scalarText(value.get(key) ?? null);
    if (text) return text;
  }
  return '';
}

/** Whether arrays are the columns of a table: `{"sku": ["1", "2"], "name": ["a", "b"]}` */
function areColumns(lengths: readonly number[], size: number): boolean {
  return size >= 2 && lengths.length === size && (lengths[0] ?? 0) >= 2 && new Set(lengths).size === 1;
}
