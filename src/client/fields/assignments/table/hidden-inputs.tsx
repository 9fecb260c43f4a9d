import { useMemo } from 'react';
import type { TargetEntry } from '#shared/targets/schema.ts';
import { conditionsOf, type Line } from '#client/fields/assignments/lines/lines.ts';

/** COL-01: the chosen source and target of a row, as the specification's form carries them. */
export function HiddenInputs({ line, targets }: { line: Line; targets: readonly TargetEntry[] | null }) {
  const { input } = conditionsOf(line)[0] ?? { input: { type: '_string', value: '' } };
  const info = useMemo(() => targets?.find(({ id }) => id === line.target)?.info ?? '', [targets, line.target]);
  return (
    <>
      <input type="hidden" name="type" value={input.type} />
      <input type="hidden" name="value" value={input.value} />
      <input type="hidden" name="id" value={line.target} />
      <input type="hidden" name="name" value={line.catname} />
      <input type="hidden" name="info" value={info} />
    </>
  );
}
