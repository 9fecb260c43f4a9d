import { join, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField, ChannelTemplate } from '#shared/channels/schema.ts';
import type { Requirement } from '#shared/channels/requirement.ts';
import { allHold, type TextOf } from './conditions.ts';
import type { Problem } from './problem.ts';

/** A field of the item as the checks read it: blank texts are NULL. `column` undefined: the construction lacks the field. */
export type ItemField = {
  readonly name: string;
  readonly title: string;
  readonly text: Sql;
  /** For types that hold one number; undefined for lists and absent fields. */
  readonly number: Sql | undefined;
  readonly column: number | undefined;
  readonly rowId: string | null;
  readonly field: ChannelField | undefined;
  readonly requirement: Requirement;
};

const mostTitles = 4;

type RequirementCheck = { readonly problem: Omit<Problem, 'column' | 'bit'>; readonly holds: Sql };

/** The problems of a missing text of the field; `holds` is tested only if it is missing. */
export function requirementOf(item: ItemField, fields: readonly ItemField[]): RequirementCheck[] {
  const { field, requirement, name, title, rowId } = item;
  const others = fields.filter((one) => one !== item && one.name === name).map(({ text }) => duck`${text} IS NULL`);
  const checkOf = (
    kind: 'missing' | 'maybe_missing' | 'recommended',
    detail: string,
    conditions: Sql,
  ): RequirementCheck[] => [
    {
      problem: {
        key: `${kind}:${rowId ?? ''}:${name}`,
        kind,
        severity: kind === 'missing' ? 'error' : kind === 'maybe_missing' ? 'warning' : 'hint',
        field: name,
        title,
        rowId,
        shows: [name],
        detail,
      },
      holds: join([conditions, ...others], duck` AND `),
    },
  ];
  const when = field?.whenText ?? '';
  if (field && field.when.length > 0)
    return checkOf('missing', `ist aber Pflicht ${when}`.trim(), allHold(field.when, textOf(fields)));
  if (field?.requirement === 'Required')
    return when === '' ? checkOf('missing', '', duck`TRUE`) : checkOf('maybe_missing', when, duck`TRUE`);
  if (requirement === 'Required')
    return checkOf('missing', 'im Feldaufbau aber als Pflicht gekennzeichnet', duck`TRUE`);
  if (field?.requirement === 'Recommended') return checkOf('recommended', when, duck`TRUE`);
  return [];
}

/** The first filled column of that name; missing if the export lacks the field. */
function textOf(fields: readonly ItemField[]): TextOf {
  return (name) => {
    const texts = fields.filter((one) => one.name === name).map(({ text }) => text);
    if (texts.length === 0) return duck`CAST(NULL AS VARCHAR)`;
    return texts.length === 1 ? join(texts, duck``) : duck`coalesce(${join(texts, duck`, `)})`;
  };
}

/** The template's checks that involve several fields. */
export function itemChecks(template: ChannelTemplate | undefined, fields: readonly ItemField[]): RequirementCheck[] {
  const text = textOf(fields);
  const first = (name: string) => fields.find((one) => one.name === name);
  return (template?.checks ?? []).flatMap((check, index): RequirementCheck[] => {
    const names = check.kind === 'any_of' ? check.fields : [check.field, check.than];
    const [shown] = names;
    const item = names.map(first).find((one) => one?.column !== undefined) ?? first(shown ?? '');
    const problem: RequirementCheck['problem'] = {
      key: `together:${index}:${names.join('+')}`,
      kind: 'together',
      severity: check.severity,
      field: item?.name ?? shown ?? '',
      title: titleOf(
        names.map((name) => first(name)?.title ?? name),
        check.kind === 'any_of' ? 'oder' : 'und',
      ),
      rowId: item?.rowId ?? null,
      shows: names,
      detail: check.message,
    };
    if (check.kind === 'any_of') {
      const empty = names.map((name) => duck`${text(name)} IS NULL`);
      return [{ problem, holds: duck`${allHold(check.when, text)} AND ${join(empty, duck` AND `)}` }];
    }
    const [less, than] = names.map(first);
    if (!less?.number || !than?.number || !isNumber(less) || !isNumber(than)) return [];
    return [{ problem, holds: duck`${less.number} >= ${than.number}` }];
  });
}

/** Names the fields of a check: all of them, or ('oder') those of which one is enough, often a dozen. */
function titleOf(titles: readonly string[], joint: 'und' | 'oder'): string {
  const more = titles.length - mostTitles;
  const shown = more > 1 ? [...titles.slice(0, mostTitles), `${more} weitere`] : titles;
  return [shown.slice(0, -1).join(', '), shown.at(-1)].filter((part) => part !== '').join(` ${joint} `);
}

const isNumber = ({ field }: ItemField) =>
  field?.type === 'price' || field?.type === 'number' || field?.type === 'integer';
