import { UnstyledButton } from '@mantine/core';
import IconPencil from 'virtual:icons/pencil';
import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import type { AttributeCell, AttributeField, AttributeRow } from '#shared/attributes/schema.ts';
import { pathTo } from '#client/address.ts';
import { PriorityBadge } from '#client/fields/priority.tsx';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import classes from './attributes.module.css';

type AttributeTableProps = {
  masterid: string;
  fields: readonly AttributeField[];
  rows: readonly AttributeRow[];
  busy: boolean;
  mayEdit: boolean;
  onEdit: (field: AttributeField) => void;
};

/** ATT-01: one column per field; editable ones have a button in their head. */
export function AttributeTable({ masterid, fields, rows, busy, mayEdit, onEdit }: AttributeTableProps) {
  return (
    <div className="k-renewing" aria-busy={busy}>
      <ScrollRegion label="Attribute der Artikel" className={classes.region}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">Artikelnummer</th>
              {fields.map((field) => (
                <th key={field.exportfield} scope="col" data-editable={field.editable}>
                  <FieldHead field={field} mayEdit={mayEdit} onEdit={onEdit} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => {
              const number = textOf(row['_id']);
              return (
                <tr key={number}>
                  <th scope="row">
                    <Link to={pathTo(pages.item, { masterid, itemid: number })}>{number}</Link>
                  </th>
                  {fields.map((field) => (
                    <Cell key={field.exportfield} field={field} cell={row[field.exportfield]} />
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  );
}

const textOf = (cell: AttributeCell | undefined): string => (typeof cell?.value === 'string' ? cell.value : '');

type FieldHeadProps = { field: AttributeField; mayEdit: boolean; onEdit: (field: AttributeField) => void };

function FieldHead({ field, mayEdit, onEdit }: FieldHeadProps) {
  const words = (
    <>
      <span className={classes.title}>{field.title}</span>
      {field.title !== field.exportfield && <span className={classes.name}>{field.exportfield}</span>}
    </>
  );
  return (
    <div className={classes.head}>
      {field.editable === 'true' && mayEdit ? (
        <UnstyledButton className={classes.edit} title={`${field.title} bearbeiten`} onClick={() => onEdit(field)}>
          <span className={classes.words}>{words}</span>
          <IconPencil size={16} aria-hidden />
        </UnstyledButton>
      ) : (
        <span className={classes.words}>{words}</span>
      )}
      <span className={classes.state}>
        <PriorityBadge value={field.mp_state} />
        {field.editable === 'false' && <span className={classes.hint}>Wurde aus Aufbau übernommen</span>}
        {field.variants && <span className={classes.hint}>Variantenattribut</span>}
      </span>
    </div>
  );
}

/** ATT-04: marks an empty cell of a required field, and one whose value is a list of errors. */
function Cell({ field, cell }: { field: AttributeField; cell: AttributeCell | undefined }) {
  const value = cell?.value ?? '';
  if (Array.isArray(value)) {
    return (
      <td data-error>
        <strong>Fehler in Feld</strong>
        <ul className={classes.errors}>
          {value.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      </td>
    );
  }
  if (value !== '') {
    return (
      <td>
        <span className={classes.value} title={value.length > 80 ? value : undefined}>
          {value}
        </span>
      </td>
    );
  }
  return field.mp_state === 'Required' ? (
    <td data-error>Pflichtfeld ist leer</td>
  ) : (
    <td className={classes.empty}>–</td>
  );
}
