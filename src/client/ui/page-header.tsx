import type { ReactNode } from 'react';
import classes from './page-header.module.css';

type PageHeaderProps = {
  title: string;
  /** One sentence about what the page is for. */
  lead?: ReactNode;
  /** Shown next to the title: a state, a count. */
  badge?: ReactNode;
  /** The page's one primary action last. */
  actions?: ReactNode;
};

/** Heading of a page; also sets the title of the browser tab. */
export function PageHeader({ title, lead, badge, actions }: PageHeaderProps) {
  return (
    <div className={classes.header}>
      <title>{`${title} · Kontor`}</title>
      <div className={classes.words}>
        <div className={classes.title}>
          <h1>{title}</h1>
          {badge}
        </div>
        {lead !== undefined && <p className={classes.lead}>{lead}</p>}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  );
}
