import { ActionIcon, Button, NativeSelect, TextInput } from '@mantine/core';
import IconChevronDown from 'virtual:icons/chevron-down';
import IconPlus from 'virtual:icons/plus';
import IconTrash from 'virtual:icons/trash';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  type ExcludedSeller,
  RANKS,
  REPRICER_LIMITS,
  type RepricerAction,
  REVIEW_COUNTS,
} from '#shared/repricer/schema.ts';
import type { NameWanted } from '#client/fields/rule-list/rule-head.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import classes from './exclusions.module.css';
import repricerClasses from './repricer.module.css';

type ExclusionsProps = {
  action: RepricerAction;
  errorAt: (field: string) => string | undefined;
  /** Asks to focus the first seller without an id; a new object asks again. */
  sellerWanted: NameWanted | null;
  onChange: (part: Partial<RepricerAction>) => void;
};

/** REP-04: the two accordions. */
export function Exclusions({ action, errorAt, sellerWanted, onChange }: ExclusionsProps) {
  const { exclude_count_rank: rank, exclude_count_reviews: reviews, exclude_sellers: sellers } = action;
  const wrong = sellers.some((_, index) => errorAt(`action.exclude_sellers.${index}.value`) !== undefined);
  return (
    <div className={classes.accordions}>
      <Accordion title="Nach Bewertung ausschließen" note={filterWords(Number(rank), Number(reviews))}>
        <div className={repricerClasses.strategies}>
          <NativeSelect
            label="Positive Bewertungen mindestens"
            name="exclude_count_rank"
            description="Wer weniger hat, zählt nicht als Wettbewerber"
            value={String(rank)}
            data={RANKS.map((value) => ({
              value: String(value),
              label: value === 0 ? 'nicht beachten' : `${value}\u00a0%`,
            }))}
            onChange={({ currentTarget: { value } }) => onChange({ exclude_count_rank: Number(value) })}
          />
          <NativeSelect
            label="Zahl der Bewertungen mindestens"
            name="exclude_count_reviews"
            description="Wer weniger hat, zählt nicht als Wettbewerber"
            value={String(reviews)}
            data={REVIEW_COUNTS.map((value) => ({
              value: String(value),
              label: value === 0 ? 'nicht beachten' : formatInteger(value),
            }))}
            onChange={({ currentTarget: { value } }) => onChange({ exclude_count_reviews: Number(value) })}
          />
        </div>
      </Accordion>
      <Accordion
        title="Verkäufer ausschließen"
        note={sellers.length === 0 ? 'niemand' : formatCount(sellers.length, 'Verkäufer', 'Verkäufer')}
        wrong={wrong}
        wanted={sellerWanted}
      >
        <Sellers
          sellers={sellers}
          errorAt={(index) => errorAt(`action.exclude_sellers.${index}.value`)}
          onChange={(list) => onChange({ exclude_sellers: list })}
        />
      </Accordion>
    </div>
  );
}

function filterWords(rank: number, reviews: number): string {
  const words = [
    ...(rank > 0 ? [`unter ${rank}\u00a0%`] : []),
    ...(reviews > 0 ? [`unter ${formatInteger(reviews)} Bewertungen`] : []),
  ];
  return words.length === 0 ? 'niemand' : words.join(', ');
}

/** Requests that were followed: an editor that is shown again must not take the focus again. */
const followed = new WeakSet<NameWanted>();

type AccordionProps = { title: string; note: string; wrong?: boolean; wanted?: NameWanted | null; children: ReactNode };

/** Summarises its content while it is closed; opens by itself if something in it is invalid, and focuses that if `wanted`. */
function Accordion({ title, note, wrong = false, wanted = null, children }: AccordionProps) {
  const container = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (wrong && container.current !== null) container.current.open = true;
  }, [wrong]);
  useEffect(() => {
    if (wanted === null || followed.has(wanted) || container.current === null) return;
    const field = container.current.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (field === null) return;
    followed.add(wanted);
    container.current.open = true;
    field.focus();
  }, [wanted]);
  return (
    <details ref={container} className={classes.accordion}>
      <summary>
        <IconChevronDown size={16} aria-hidden />
        <span>{title}</span>
        <span className="k-muted k-small">{note}</span>
      </summary>
      <div className={classes.inside}>{children}</div>
    </details>
  );
}

type SellersProps = {
  sellers: readonly ExcludedSeller[];
  errorAt: (index: number) => string | undefined;
  onChange: (sellers: ExcludedSeller[]) => void;
};

/** REP-10: `name` is only for users, the id is what counts. */
function Sellers({ sellers, errorAt, onChange }: SellersProps) {
  const [added, setAdded] = useState(-1);
  const put = (index: number, part: Partial<ExcludedSeller>) =>
    onChange(sellers.map((seller, at) => (at === index ? { ...seller, ...part } : seller)));
  const add = () => {
    setAdded(sellers.length);
    onChange([...sellers, { name: '', value: '' }]);
  };
  return (
    <div className="k-stack" style={{ gap: 10 }}>
      <p className="k-muted k-small">Ihre eigenen Konten sind immer ausgeschlossen.</p>
      {sellers.map((seller, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a row is identified by its position; ids may be empty or equal
        <div key={index} className={classes.seller} role="group" aria-label={`Verkäufer ${index + 1}`}>
          <TextInput
            label="Bezeichnung"
            placeholder="hilft nur Ihnen"
            maxLength={200}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- a new row is where the user types on
            autoFocus={index === added}
            value={seller.name}
            onChange={({ currentTarget }) => put(index, { name: currentTarget.value })}
          />
          <TextInput
            label="Verkäufer-ID"
            required
            maxLength={100}
            spellCheck={false}
            value={seller.value}
            error={errorAt(index)}
            onChange={({ currentTarget }) => put(index, { value: currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            size={36}
            className={repricerClasses.delete}
            aria-label={`Verkäufer ${index + 1} entfernen`}
            title="Entfernen"
            onClick={() => onChange(sellers.filter((_, at) => at !== index))}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={sellers.length >= REPRICER_LIMITS.sellers}
          onClick={add}
        >
          Verkäufer hinzufügen
        </Button>
      </div>
    </div>
  );
}
