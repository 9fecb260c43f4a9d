import { filterDefinition } from '#shared/assignments/schema.ts';
import { formatInteger } from '#client/ui/text/formats.ts';
import { entryOf, type PickerGroup } from '#client/fields/values/picker-groups.ts';
import classes from './assignment-table.module.css';
import cellsClasses from './cells.module.css';
import { conditionsOf, isCategory, type Line } from '#client/fields/assignments/lines/lines.ts';

type PassingCellsProps = { line: Line; sources: readonly PickerGroup[]; items: number | null; target: string };

/** The text of a row being scrolled past: controls are slow to render, and nobody uses one while scrolling. */
export function PlaceholderCells({ line, sources, items, target }: PassingCellsProps) {
  const conditions = conditionsOf(line);
  const stacked = (label: string, texts: readonly string[]) => (
    <td data-label={label}>
      <div className={cellsClasses.stack}>
        {texts.map((text, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a row has a first and perhaps a second condition
          <div key={index} className={cellsClasses.passing}>
            {text}
          </div>
        ))}
      </div>
    </td>
  );
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell is no control */}
      <td />
      {stacked(
        'Feld',
        conditions.map(({ input: { type, value } }) =>
          type === '_string' ? value : (entryOf(sources, value, type)?.name ?? value),
        ),
      )}
      {stacked(
        'Filter',
        conditions.map(({ filter }) => filterDefinition(filter).label),
      )}
      {stacked(
        'Wert',
        conditions.map(({ value }) => value),
      )}
      <td data-label="Ziel">
        <div className={cellsClasses.typed}>
          <div className={cellsClasses.passing}>{target}</div>
          {isCategory(line) && line.producttyp !== '' && <span className={cellsClasses.type}>{line.producttyp}</span>}
        </div>
      </td>
      <td className={classes.items}>
        <div className={cellsClasses.passingItems}>{items === null ? '…' : formatInteger(items)}</div>
      </td>
      <td className={classes.switches}>
        <div className={cellsClasses.passingItems}>{line.active ? 'an' : 'aus'}</div>
      </td>
      {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- a cell is no control */}
      <td />
    </>
  );
}
