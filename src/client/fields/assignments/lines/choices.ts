import type { AnswerOf } from '#shared/http/call.ts';
import type { api } from '#shared/http/api.ts';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { VALUE_TYPES } from '#shared/values/schema.ts';
import { formatPercent } from '#client/ui/text/formats.ts';
import type { PickerGroup } from '#client/fields/values/picker-groups.ts';

export type SelectableField = AnswerOf<typeof api.mappingFields>[number];
export type Suggested = AnswerOf<typeof api.suggestTargets>[number]['suggestions'][number];

/** Whether a suggestion has at least this confidence, in whole percent. Not `confidence * 100`: 0.57 becomes 56.99999999999999. */
export const isSure = ({ confidence }: Pick<Suggested, 'confidence'>, percent: number): boolean =>
  confidence >= percent / 100;

/** GEN-08: the fields that a row can read, under their headings. */
export function sourceGroups(fields: readonly SelectableField[]): PickerGroup[] {
  return VALUE_TYPES.map(({ type, heading }) => ({
    heading,
    entries: fields
      .filter((field) => field.type === type)
      .map(({ name, value, origin, note }) => ({
        type,
        name,
        value,
        note: type === '_field' && origin === '' ? 'aus einer Regel' : note,
      })),
  })).filter(({ entries }) => entries.length > 0);
}

/** Value of the picker entry that removes a target. */
export const NO_TARGET = '';

/** Returns suggestions first, each with its confidence and reason, then the whole list. */
export function targetGroups(
  targets: readonly TargetEntry[],
  suggested: readonly Suggested[],
  chosen: string,
): PickerGroup[] {
  const none = chosen === '' ? [] : [{ type: '_string' as const, value: NO_TARGET, name: 'Kein Ziel' }];
  return [
    {
      heading: 'Vorschläge',
      entries: suggested.map(({ id, name, confidence, reason }) => ({
        // Differs from the list's type, so that both entries can be told apart.
        type: '_intern' as const,
        value: id,
        name,
        note: `${formatPercent(confidence)}, ${reason}`,
      })),
    },
    { heading: '', entries: none },
    {
      heading: suggested.length > 0 ? 'Alle' : '',
      entries: targets.map(({ id, name, info }) => {
        const entry = { type: '_default' as const, value: id, name };
        return info === '' ? entry : { ...entry, note: info };
      }),
    },
  ].filter(({ entries }) => entries.length > 0);
}
