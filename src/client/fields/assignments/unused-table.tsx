import IconInfoCircle from 'virtual:icons/info-circle';
import { Link } from 'react-router';
import { type ExportTable, exportTables } from '#shared/assignments/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import classes from './counter-panel.module.css';

/** Says that what a table assigns does not reach the export's file: 100 % assigned would promise more. */
export function UnusedTable({ id, table }: { id: string; table: ExportTable }) {
  return (
    <p className={`k-small ${classes.unused}`}>
      <IconInfoCircle size={16} aria-hidden />
      <span>
        Die {exportTables[table].title} kommen nicht in die Datei: kein Feld und kein Attribut dieses Exports verwendet
        sie. Wählen Sie sie im <Link to={pathTo(pages.construction, { id })}>Feldaufbau</Link> als Quelle.
      </span>
    </p>
  );
}
