import { TARGET_LIMITS } from '#shared/targets/schema.ts';
import { type Draft, ListRefused, MAX_DEPTH, tooDeep, tooLong } from './draft.ts';
import { partsOf } from './list-text.ts';
import { isId, isInfo, isName, isParent, isPath } from './roles.ts';

/** A level of a tree is an object and the list of its children. */
const MOST_NESTED = 2 * MAX_DEPTH;

const idKeys = ['id', 'categoryId', 'category_id', 'valueid', 'gid', 'code', 'value', 'key'];
const nameKeys = ['name', 'categoryName', 'category_name', 'valuename', 'title', 'label', 'bezeichnung', 'displayName'];
const pathKeys = ['path', 'full_name', 'fullName', 'categoryPath', 'breadcrumb'];
const parentKeys = ['parent', 'parentId', 'parent_id', 'parentCategoryId'];
const infoKeys = ['info', 'valueinfo', 'productType', 'product_type', 'type', 'hex'];

type Node = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON list or tree: nodes with id and name at any level; children are in lists inside their node, or nodes name their
 * parent or their whole path. OTTO's groups with `categories` as texts are read with their attributes.
 */
export function readJson(text: string): Draft[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const value = parsed(text);
  const drafts = draftsOf(value);
  return drafts.length > 0 ? drafts : namesById(value);
}

/** Members of a single entry or of an error's text, which are no ids. */
const isMember = (key: string): boolean =>
  [isId, isName, isParent, isPath, isInfo].some((is) => is(key)) ||
  /^(?:errors?|message|status|details?|reason|version|date|language|lang)$/i.test(key);

/** The entries of an object that has names by id, or of the longest such object among its members. */
function namesById(value: unknown): Draft[] {
  if (!isNode(value)) return [];
  const maps = [value, ...Object.values(value).filter(isNode)].map((map) => {
    const drafts = Object.entries(map).flatMap(([id, name]) =>
      typeof name === 'string' && !isMember(id) ? [{ id: id.trim(), name: name.trim(), info: '' }] : [],
    );
    return drafts.length > 1 && drafts.length === Object.keys(map).length ? drafts : [];
  });
  return maps.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

/** The entries of a document. */
export function draftsOf(value: unknown): Draft[] {
  const found: Found[] = [];
  walk(value, [], found, 0);
  if (found.length === 0) {
    const names = namesIn(value);
    return names.length > 0 ? names.map((name) => ({ id: name, name, info: '' })) : namedNodes(value, [], false, 0);
  }
  // A list with whole paths may repeat nodes without paths as children of others: those are left out.
  const withPath = found.filter((draft) => draft.hasPath === true);
  return (withPath.length > 0 ? withPath : found).map(({ hasPath: _hasPath, ...draft }) => draft);
}

/** Parses one document, or one in each line. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, exactNumber);
  } catch {
    const lines = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '');
    try {
      if (lines.length > 1 && lines.every((line) => line.trimStart().startsWith('{')))
        return lines.map((line): unknown => JSON.parse(line, exactNumber));
    } catch {
      // Neither one document nor one in each line.
    }
    throw new ListRefused('Die Datei sieht aus wie JSON, ist aber nicht lesbar. Ist sie vollständig?');
  }
}

/** Ids may have more digits than a number holds: then their text is used. */
const exactNumber = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^\d+$/.test(context?.source ?? '')
    ? context?.source
    : value;

/** Entries of lists that have names but no ids: the id is the path of names. */
function namedNodes(value: unknown, above: readonly string[], isListed: boolean, depth: number): Draft[] {
  if (depth > MOST_NESTED) throw tooDeep();
  if (Array.isArray(value)) return value.flatMap((one: unknown) => namedNodes(one, above, true, depth + 1));
  if (!isNode(value)) return [];
  const name = isListed ? textOf(value, nameKeys) || textCalled(value, isName) : '';
  const path = name === '' ? above : [...above, name];
  const id = path.join(' > ');
  if (id.length > TARGET_LIMITS.id) throw tooLong('Der Pfad', id, TARGET_LIMITS.id);
  const own = name === '' ? [] : [{ id, name, info: textOf(value, infoKeys), path }];
  const inner = Object.entries(value).filter(
    ([key]) => !pathKeys.includes(key) && (name === '' || key !== 'attributes'),
  );
  return [...own, ...inner.flatMap(([, one]) => namedNodes(one, path, false, depth + 1))];
}

/** The names of a list of texts, or of the longest such list among an object's members. */
function namesIn(value: unknown): string[] {
  const lists = Array.isArray(value) ? [value] : isNode(value) ? Object.values(value).filter(Array.isArray) : [];
  const named = lists.map((list: unknown[]) =>
    list.every((one) => typeof one === 'string') ? list.map((one) => one.trim()).filter((one) => one !== '') : [],
  );
  return named.toSorted((a, b) => b.length - a.length)[0] ?? [];
}

type Found = Draft & { hasPath?: boolean };

function walk(value: unknown, above: readonly string[], found: Found[], depth: number): void {
  if (depth > MOST_NESTED) throw tooDeep();
  if (Array.isArray(value)) {
    for (const one of value) walk(one, above, found, depth + 1);
    return;
  }
  if (!isNode(value)) return;
  const group = groupOf(value);
  if (group !== undefined) {
    for (const one of group) found.push(one);
    return;
  }
  const own = isNode(value['category']) ? value['category'] : value;
  const name = textOf(own, nameKeys) || textCalled(own, isName);
  const id = textOf(own, idKeys) || textCalled(own, isId);
  const path = name === '' ? above : [...above, name];
  // The root that some trees have is no category of the channel.
  const isRoot = depth <= 1 && /^root$/i.test(name);
  if (name !== '' && id !== '' && !isRoot) found.push(draftOf(own, id, name, path));
  for (const [key, inner] of Object.entries(value)) {
    if (
      typeof inner !== 'object' ||
      inner === null ||
      pathKeys.includes(key) ||
      key === 'category' ||
      // Skips an entry's own attributes; a list of attributes may be the whole file.
      (key === 'attributes' && name + id !== '')
    )
      continue;
    walk(inner, isRoot ? [] : path, found, depth + 1);
  }
}

function draftOf(node: Node, id: string, name: string, path: readonly string[]): Found {
  const ownPath = pathOf(node);
  const parent = textOf(node, parentKeys) || textCalled(node, isParent) || lastAbove(node);
  const attributes = attributesOf(node['attributes']);
  return {
    id,
    name,
    info: textOf(node, infoKeys),
    path: ownPath ?? path,
    ...(ownPath === undefined ? {} : { hasPath: true }),
    ...(parent === '' || ownPath !== undefined ? {} : { parent }),
    ...(attributes.length === 0 ? {} : { attributes }),
  };
}

/**
 * The parent's id in Amazon's browse tree, whose path of ids begins with a root that has no entry. Its path of names is of no
 * use: names contain the comma that separates them.
 */
const lastAbove = (node: Node): string => textOf(node, ['browsePathById']).split(',').at(-2)?.trim() ?? '';

/** A path given as a text with separators, or as a list of names or nodes. */
function pathOf(node: Node): string[] | undefined {
  const listed = pathKeys.map((key) => node[key]).find((value) => value !== undefined);
  if (typeof listed === 'string' && listed !== '') return partsOf(listed, /[>»›]/);
  if (!Array.isArray(listed) || listed.length === 0) return undefined;
  const names = listed.map((part: unknown) => (isNode(part) ? textOf(part, nameKeys) : String(part)));
  return names.every((name) => name !== '') ? names : undefined;
}

function groupOf(node: Node): Found[] | undefined {
  const group = node['categoryGroup'];
  const categories = node['categories'];
  if (typeof group !== 'string' || !Array.isArray(categories)) return undefined;
  const attributes = attributesOf(node['attributes']);
  return categories
    .filter((name): name is string => typeof name === 'string' && name !== '')
    .map((name) => ({
      id: name,
      name,
      info: group,
      path: [group, name],
      ...(attributes.length === 0 ? {} : { attributes }),
    }));
}

function attributesOf(value: unknown): { name: string; required: boolean }[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, TARGET_LIMITS.attributes)
    .filter(isNode)
    .flatMap((attribute) => {
      const name = textOf(attribute, nameKeys);
      const required = attribute['relevance'] === 'HIGH' || attribute['required'] === true;
      if (name.length > TARGET_LIMITS.text) throw tooLong('Das Attribut', name, TARGET_LIMITS.text);
      return name === '' ? [] : [{ name, required }];
    });
}

function textOf(node: Node, keys: readonly string[]): string {
  for (const key of keys) {
    const value = node[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** The text or number of the first property whose name matches. */
const textCalled = (node: Node, is: (key: string) => boolean): string => textOf(node, Object.keys(node).filter(is));

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
