import type { ReactNode } from 'react';
import type { IconComponent } from '#client/ui/icons/icon.tsx';
import classes from './badge.module.css';

export type BadgeTone = 'red' | 'yellow' | 'green' | 'gray' | 'blue';

/** A state in one word; never by colour alone: the word or an icon says it, too (WCAG 1.4.1). */
export function Badge({ tone, icon: Icon, children }: { tone: BadgeTone; icon?: IconComponent; children: ReactNode }) {
  return (
    <span className={`${classes.badge} ${classes[tone]}`}>
      {Icon !== undefined && <Icon size={13} stroke={2.2} aria-hidden />}
      {children}
    </span>
  );
}
