import { Link } from 'react-router';
import { explainPath } from '#client/paths/explain-path.ts';
import { ExplainLink } from './explain-link.tsx';
import classes from './preview-cells.module.css';

type PreviewToolProps = { masterid: string; exportId: string; itemid: string };

/** First cell of a preview's row: leads to where all its values come from. */
export function PreviewTool({ masterid, exportId, itemid }: PreviewToolProps) {
  return (
    <td className={classes.tool}>
      <ExplainLink to={explainPath(masterid, itemid, { exportId })} label={`Artikel ${itemid} erklären`} />
    </td>
  );
}

/**
 * A value of a preview that leads to where it comes from. Not a tab stop: hundreds of them would bar the way, and the
 * row's button leads to the same page with a choice of fields.
 */
export function PreviewValue({ to, value }: { to: string; value: string | null }) {
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
