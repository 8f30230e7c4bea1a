import type { Wording } from '../core/model/evidence/wording.ts';
import type { AgreedWords, EvidenceReport } from '../ports/evidence-report.ts';
import type { WordingStore } from '../ports/wordings.ts';
import { eachRow } from './each-row.ts';
import { openEvidence } from './evidence-seal.ts';
import type { SubmissionRow } from './people-schema.ts';
import { reading, type StoreParts } from './sql.ts';

const recorded = reading<SubmissionRow>(
  `SELECT * FROM submission
   WHERE submitted_at >= :at AND submitted_at < :to AND (submitted_at > :at OR sequence > :after)
   ORDER BY submitted_at, sequence LIMIT :limit`,
);

type Counts = Pick<AgreedWords, 'agreed' | 'saved' | 'withdrew'>;

const none: Counts = { agreed: 0, saved: 0, withdrew: 0 };
const sum = (one: Counts, other: Counts): Counts => ({
  agreed: one.agreed + other.agreed,
  saved: one.saved + other.saved,
  withdrew: one.withdrew + other.withdrew,
});

/** Counts what was asked in the words that were shown. Holds a few submissions at a time. */
export function evidenceReport(
  { sql, seal }: StoreParts,
  wordings: Pick<WordingStore, 'wordings' | 'texts'>,
): EvidenceReport {
  return {
    async agreedTo({ purpose, from, to, center }) {
      /** Center → digest of a wording, '' for none → counts. */
      const centers = new Map<string, Map<string, Counts>>();
      const goOn = ({ submitted_at: at, sequence: after }: SubmissionRow) => ({ at, after });
      for await (const row of eachRow(sql, recorded, [{ at: from, to, after: 0 }, goOn])) {
        const { center: id } = row;
        if (center !== undefined && id !== center) continue;
        const { asked, ended } = openEvidence(seal, row) ?? {};
        const change = asked?.changes.find((each) => each.what === 'purpose' && each.id === purpose)?.change;
        if (change !== 'on' && change !== 'off') continue;
        const isSaved = ended?.items.some(
          (item) => item.id === purpose && (item.outcome === 'saved' || item.outcome === 'unchanged'),
        );
        const words = asked?.shown?.words ?? '';
        const ofCenter = centers.get(id) ?? new Map<string, Counts>();
        const isOn = change === 'on';
        const saved = Number(isOn && isSaved === true);
        const one = { agreed: Number(isOn), saved, withdrew: Number(!isOn) };
        centers.set(id, ofCenter.set(words, sum(ofCenter.get(words) ?? none, one)));
      }
      const told: AgreedWords[] = [];
      for (const [id, ofCenter] of centers) told.push(...(await inWords(purpose, id, ofCenter)));
      return told;
    },
  };

  /** Wordings that say the same of a purpose are one. */
  async function inWords(purpose: string, center: string, counts: ReadonlyMap<string, Counts>) {
    const kept = await wordings.wordings([...counts.keys()].filter((words) => words !== ''));
    const all = new Map<string, AgreedWords>();
    for (const [words, count] of counts) {
      const content = kept.get(words);
      const wording = content === undefined ? undefined : (JSON.parse(content) as Wording);
      const line = wording?.purposes.find(({ id }) => id === purpose);
      const key = [line?.text, line?.version, wording?.language].join(' ');
      all.set(key, {
        ...{ center, purpose, language: wording?.language, version: line?.version, digest: line?.text },
        ...{ text: undefined, ...sum(all.get(key) ?? none, count) },
      });
    }
    const texts = await wordings.texts([...all.values()].flatMap(({ digest }) => digest ?? []));
    return [...all.values()].map((each): AgreedWords => {
      const text = texts.get(each.digest ?? '');
      return { ...each, text: text === undefined ? undefined : JSON.parse(text) };
    });
  }
}
