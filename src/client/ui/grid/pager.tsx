import { ActionIcon, NativeSelect } from '@mantine/core';
import IconChevronLeft from 'virtual:icons/chevron-left';
import IconChevronRight from 'virtual:icons/chevron-right';
import IconChevronsLeft from 'virtual:icons/chevrons-left';
import IconChevronsRight from 'virtual:icons/chevrons-right';
import { formatInteger } from '#client/ui/text/formats.ts';

const singulars = {
  Artikeln: 'Artikel',
  Bestellungen: 'Bestellung',
  Datensätzen: 'Datensatz',
  Einträgen: 'Eintrag',
  Entscheidungen: 'Entscheidung',
  Händlern: 'Händler',
  Minuten: 'Minute',
  Zeilen: 'Zeile',
} as const;

type PagerProps = {
  /** Zero-based. */
  page: number;
  size: number;
  total: number;
  sizes?: readonly number[];
  onPage: (page: number) => void;
  onSize?: (size: number) => void;
  /** Plural noun of the counted things, shown after „von“. */
  noun: keyof typeof singulars;
  /** Shown after the count. */
  note?: string | undefined;
};

/** First, previous, next, last page, and rows per page. A change is announced politely. */
export function Pager({ size, total, sizes = [10, 25, 50, 100], onPage, onSize, noun, note, ...rest }: PagerProps) {
  const last = Math.max(0, Math.ceil(total / size) - 1);
  // There may be fewer rows than when the page was chosen.
  const page = Math.min(rest.page, last);
  const from = total === 0 ? 0 : page * size + 1;
  const to = Math.min(total, (page + 1) * size);
  const button = (label: string, Icon: typeof IconChevronLeft, target: number, disabled: boolean) => (
    <ActionIcon
      variant="default"
      size={32}
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={() => onPage(target)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
  return (
    <nav className="k-between k-small" aria-label="Seiten">
      <span role="status">
        {formatInteger(from)}–{formatInteger(to)} von {formatInteger(total)} {total === 1 ? singulars[noun] : noun}
        {note}
      </span>
      <div className="k-row">
        {onSize !== undefined && (
          <NativeSelect
            size="xs"
            aria-label="Zeilen je Seite"
            value={String(size)}
            onChange={(event) => onSize(Number(event.currentTarget.value))}
            data={sizes.map((value) => ({ value: String(value), label: `${value} je Seite` }))}
          />
        )}
        <div className="k-row" style={{ flexWrap: 'nowrap' }}>
          {button('Erste Seite', IconChevronsLeft, 0, page === 0)}
          {button('Vorige Seite', IconChevronLeft, page - 1, page === 0)}
          <span>
            Seite {formatInteger(page + 1)} von {formatInteger(last + 1)}
          </span>
          {button('Nächste Seite', IconChevronRight, page + 1, page >= last)}
          {button('Letzte Seite', IconChevronsRight, last, page >= last)}
        </div>
      </div>
    </nav>
  );
}
