import type { ReactNode } from 'react';
import type { IconComponent } from '#client/ui/icons/icon.tsx';
import classes from './empty-state.module.css';

type EmptyStateProps = { icon?: IconComponent; title: string; children?: ReactNode; action?: ReactNode };

/** Shown if there is nothing yet: what the user gains, and the one next step. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {Icon !== undefined && (
        <span className={classes.icon}>
          <Icon size={28} stroke={1.6} aria-hidden />
        </span>
      )}
      <h2>{title}</h2>
      {children !== undefined && <div className={classes.words}>{children}</div>}
      {action}
    </div>
  );
}
