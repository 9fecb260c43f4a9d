import { Link } from 'react-router';
import { explainPath } from '#client/paths/explain-path.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import { ExplainLink } from './explain-link.tsx';
import classes from './preview-table.module.css';

type PreviewTableProps = {
  masterid: string;
  exportId: string;
  answer: { columns: readonly string[]; ids: readonly string[]; data: readonly (readonly (string | null)[])[] };
  /** Newer rows are being loaded. */
  busy: boolean;
  className?: string | undefined;
};

/** Rows as an export would write them; each row and value links to its explanation, which is based on the saved state. */
export function PreviewTable({ masterid, exportId, answer, busy, className }: PreviewTableProps) {
  const { columns, ids, data } = answer;
  return (
    <div className="k-renewing" aria-busy={busy}>
      <ScrollRegion label="Vorschau der Ausgabe" className={className}>
        <table className="k-table">
          <thead>
            <tr>
              <th scope="col">
                <span className="k-hidden">Erklären</span>
              </th>
              {columns.map((name, index) => (
                <th key={index} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.map((row, index) => (
              <tr key={index}>
                <PreviewTool masterid={masterid} exportId={exportId} itemid={ids[index] ?? ''} />
                {row.map((value, column) => (
                  <td key={column}>
                    <PreviewValue
                      to={explainPath(masterid, ids[index] ?? '', { exportId, field: columns[column] ?? null })}
                      value={value}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  );
}

type PreviewToolProps = { masterid: string; exportId: string; itemid: string };

/** First cell of a preview row: links to the explanation of all its values. */
function PreviewTool({ masterid, exportId, itemid }: PreviewToolProps) {
  return (
    <td className={classes.tool}>
      <ExplainLink to={explainPath(masterid, itemid, { exportId })} label={`Artikel ${itemid} erklären`} />
    </td>
  );
}

/**
 * A preview value that links to its explanation. Not a tab stop: hundreds of them would block keyboard users, and the row's
 * button leads to the same page with a choice of fields.
 */
function PreviewValue({ to, value }: { to: string; value: string | null }) {
  return (
    <Link
      to={to}
      className={classes.value}
      tabIndex={-1}
      title={value === null || value === '' ? 'Warum leer?' : value}
    >
      {value === null || value === '' ? '–' : value}
    </Link>
  );
}
