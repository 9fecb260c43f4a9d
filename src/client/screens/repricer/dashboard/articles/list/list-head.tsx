import { ActionIcon, Button } from '@mantine/core';
import IconArrowLeft from 'virtual:icons/arrow-left';
import IconRefresh from 'virtual:icons/refresh';
import type { ArticlesOf } from '#client/screens/repricer/dashboard/dashboard-query.ts';
import { formatClock, formatInteger } from '#client/ui/text/formats.ts';

type ListHeadProps = {
  of: ArticlesOf;
  at: string | null;
  busy: boolean;
  onBack: (() => void) | undefined;
  onReload: () => void;
};

/** Title of the list, time of its data, and the way back. */
export function ListHead({ of, at, busy, onBack, onReload }: ListHeadProps) {
  return (
    <div className="k-between">
      <div>
        <h2 id="artikelliste">{of.kind === 'all' ? 'Artikelliste' : 'Artikeldaten'}</h2>
        <p className="k-muted k-small" style={{ overflowWrap: 'anywhere' }}>
          {leadOf(of)}
        </p>
      </div>
      <div className="k-row">
        {at !== null && <span className="k-muted k-small">Stand {formatClock(at)}</span>}
        <ActionIcon
          variant="default"
          size={32}
          aria-label="Neu laden"
          title="Neu laden"
          disabled={busy}
          onClick={onReload}
        >
          <IconRefresh size={16} aria-hidden />
        </ActionIcon>
        {onBack !== undefined && (
          <Button variant="default" size="xs" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={onBack}>
            Zurück
          </Button>
        )}
      </div>
    </div>
  );
}

function leadOf(of: ArticlesOf): string {
  if (of.kind === 'competitor') return `Ihre Angebote in Artikeln, die auch ${of.id} anbietet, neben dessen Angebot.`;
  const rival = 'neben dem jeweils günstigsten Gegner';
  if (of.kind === 'all') return `Alle Ihre Angebote ${rival}.`;
  if (of.rank === 0) return `Ihre Angebote, die der Marktplatz nicht unter den ersten nennt (ohne Rang), ${rival}.`;
  return `Ihre Angebote auf Rang ${formatInteger(of.rank)} nach Preis mit Versand, ${rival}.`;
}
