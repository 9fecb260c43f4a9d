import IconAlertTriangle from 'virtual:icons/alert-triangle';
import IconChevronRight from 'virtual:icons/chevron-right';
import IconCircleCheck from 'virtual:icons/circle-check';
import IconInfoCircle from 'virtual:icons/info-circle';
import { Link } from 'react-router';
import type { Attention } from './attention.ts';
import classes from './overview.module.css';

/** The to-do list on the overview; says so if there is nothing to do. */
export function AttentionList({ entries }: { entries: readonly Attention[] }) {
  if (entries.length === 0) {
    return (
      <p className={`k-card ${classes.fine}`}>
        <IconCircleCheck size={20} aria-hidden /> Alles läuft. Nichts braucht gerade Ihre Aufmerksamkeit.
      </p>
    );
  }
  return (
    <section aria-labelledby="zu-tun">
      <h2 id="zu-tun" className={classes.heading}>
        Braucht Ihre Aufmerksamkeit
      </h2>
      <ul className={classes.attention}>
        {entries.map(({ id, grave, text, detail, action, to }) => (
          <li key={id} className={classes.entry}>
            {grave ? (
              <IconAlertTriangle size={20} className={classes.grave} aria-label="Fehler" />
            ) : (
              <IconInfoCircle size={20} className={classes.mild} aria-label="Hinweis" />
            )}
            <div className={classes.words}>
              <strong>{text}</strong>
              <p className="k-muted k-small">{detail}</p>
            </div>
            <Link to={to} className={classes.go}>
              {action}
              <IconChevronRight size={16} aria-hidden />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
