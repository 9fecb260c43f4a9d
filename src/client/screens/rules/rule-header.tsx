import { Button } from '@mantine/core';
import IconHistory from 'virtual:icons/history';
import IconListCheck from 'virtual:icons/list-check';
import IconPlus from 'virtual:icons/plus';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { pages } from '#shared/pages.ts';
import { RULE_LIMITS } from '#shared/rules/schema.ts';
import { pathTo } from '#client/address.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { PageHeader } from '#client/ui/page-header.tsx';
import { ignoreDoubleClick } from '#client/fields/rule-list/ignore-double-click.ts';
import { UndoButtons, type UndoSteps } from '#client/editor/undo/undo-buttons.tsx';
import { documentOf, type RuleScope } from './rule-scope.ts';

type RuleHeaderProps = {
  scope: RuleScope;
  title: string;
  /** The rules that run before these. */
  before?: ReactNode;
  /** Number of rules. */
  count: number;
  mayEdit: boolean;
  steps: UndoSteps;
  onAdd: () => void;
};

/** Head of the screen: purpose of the list, undo steps, history, and a new rule. */
export function RuleHeader({ scope, title, before, count, mayEdit, steps, onAdd }: RuleHeaderProps) {
  return (
    <PageHeader
      title={title}
      lead={
        <>
          Die Liste läuft von oben nach unten. Pausierte Regeln werden übersprungen.{before !== undefined && ' '}
          {before}
        </>
      }
      actions={
        <>
          {mayEdit && <UndoButtons {...steps} />}
          <Button
            component={Link}
            variant="default"
            leftSection={<IconHistory size={16} aria-hidden />}
            to={pathTo(pages.history, documentOf(scope))}
          >
            Verlauf
          </Button>
          {mayEdit && count > 0 && count < RULE_LIMITS.rules && <NewRule onAdd={onAdd} />}
        </>
      }
    />
  );
}

function NewRule({ onAdd }: { onAdd: () => void }) {
  return (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={ignoreDoubleClick(onAdd)}>
      Neue Regel
    </Button>
  );
}

/** RUL-01. */
export function NoRules({ onAdd }: { onAdd: (() => void) | undefined }) {
  return (
    <EmptyState
      icon={IconListCheck}
      title="Erstellen Sie Ihre erste Regel"
      action={onAdd !== undefined && <NewRule onAdd={onAdd} />}
    >
      <p>
        Eine Regel sagt, für welche Artikel sie gilt („Wenn der Preis kleiner als 1 ist“) und was dann mit ihnen
        geschieht („dann schließe den Artikel aus“). So bereinigen, ergänzen und filtern Sie Ihre Daten, ohne die Quelle
        zu ändern.
      </p>
    </EmptyState>
  );
}
