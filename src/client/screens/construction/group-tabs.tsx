import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { Badge } from '#client/ui/badge.tsx';
import { formatCount } from '#client/ui/text/formats.ts';
import classes from './group-tabs.module.css';
import constructionClasses from './construction.module.css';
import type { Group } from './groups.ts';

type GroupTabsProps = {
  groups: readonly Group[];
  group: string;
  /** An attempted save has pointed out what is missing. */
  checked: boolean;
  onGroup: (group: string) => void;
  /** Content of the open tab. */
  children: ReactNode;
};

/** CON-01: a tab per group, each with its number of required fields without a value. */
export function GroupTabs({ groups, group, checked, onGroup, children }: GroupTabsProps) {
  return (
    <Tabs
      value={group}
      onChange={(value) => value !== null && onGroup(value)}
      keepMounted={false}
      variant="none"
      className={constructionClasses.card}
    >
      <Tabs.List className={classes.tabs} aria-label="Gruppen des Feldaufbaus">
        {groups.map(({ name, title, rows, open }) => (
          <Tabs.Tab key={name} value={name} className={classes.tab} data-missing={(checked && open > 0) || undefined}>
            <span className={classes.tabTitle}>{title}</span>
            <span className={classes.tabCount} aria-label={formatCount(rows.length, 'Feld', 'Felder')}>
              {rows.length}
            </span>
            {open > 0 && <Badge tone={checked ? 'red' : 'gray'}>{openWords(open, checked)}</Badge>}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {groups.map(({ name }) => (
        <Tabs.Panel key={name} value={name}>
          {children}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const openWords = (open: number, checked: boolean): string => {
  if (!checked) return `${open} offen`;
  return open === 1 ? '1 fehlt' : `${open} fehlen`;
};
