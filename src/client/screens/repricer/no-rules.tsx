import { Button } from '@mantine/core';
import IconPlus from 'virtual:icons/plus';
import IconTags from 'virtual:icons/tags';
import { ignoreDoubleClick } from '#client/fields/rule-list/ignore-double-click.ts';
import { EmptyState } from '#client/ui/empty-state.tsx';
import { deactivatePath, type RepricerPlace } from './repricer-path.ts';

type NoRulesProps = { active: boolean; place: RepricerPlace; onAdd: (() => void) | undefined };

/** REP-02. */
export function NoRules({ active, place, onAdd }: NoRulesProps) {
  return (
    <EmptyState
      icon={IconTags}
      title={active ? 'Repricer-AddOn is Aktiv' : 'Das Repricer-AddOn ist ausgeschaltet'}
      action={
        <>
          {onAdd !== undefined && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={ignoreDoubleClick(onAdd)}>
              Neue Regel
            </Button>
          )}
          {/* A full navigation: the server renders the target page. */}
          {active && onAdd !== undefined && <a href={deactivatePath(place)}>AddOn deaktivieren</a>}
        </>
      }
    >
      <p>Erstellen Sie Ihre erste Repricing-Regel</p>
      <p className="k-muted">
        Eine Regel sagt, zwischen welchen Preisen sich Ihr Angebot bewegen darf und wie es auf Wettbewerber antwortet.
        Sie beginnt pausiert: Gesendet wird erst, wenn Sie sie aktivieren.
      </p>
    </EmptyState>
  );
}
