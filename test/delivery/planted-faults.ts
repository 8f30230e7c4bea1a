/** A small change of the rules that the walk must notice, though no table of cases does. */
export interface Planted {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The name of the setting that finds the fault. */
  readonly by: string;
  readonly adverse?: number;
}

export const planted: readonly Planted[] = [
  {
    name: 'one empty reading is trusted',
    file: 'observe.ts',
    from: 'if (subject.purposes.length === 0) {',
    to: 'if (subject.purposes.length < 0) {',
    by: 'on what is on no record',
    adverse: 2,
  },
  {
    name: 'an old form wins over a withdrawal',
    file: 'withdrawn-since.ts',
    from: 'return last > form.order &&',
    to: 'return last < 0 &&',
    by: 'on, click, on by an old form',
  },
  {
    name: 'a withdrawal of everything leaves pending grants alone',
    file: 'say.ts',
    from: "if (purposeOf(key) === '' || isWithdrawing(center, item)) return [];",
    to: "if (purposeOf(key) === '' || isWithdrawing(center, item) || item.want === 'on') return [];",
    by: 'on, everything',
  },
  {
    name: 'a withdrawal leaves grants in another center alone',
    file: 'say.ts',
    from: '!isReached(item.key, purposeOf(item.key))',
    to: 'isReached(item.key, purposeOf(item.key))',
    by: 'one record: on in b, click all in a',
  },
  {
    name: 'work that falls due during a reading is forgotten',
    file: 'step.ts',
    from: 'const since = draft.known.observed?.at ?? now;',
    to: 'const since = now;',
    by: 'off',
    adverse: 2,
  },
  {
    name: 'a click counts as a repetition of an objection',
    file: 'say-again.ts',
    from: 'return isSaid && (isObjection || !isByObjection(center, item));',
    to: 'return isSaid;',
    by: 'objection, click',
  },
  {
    name: 'a repeated click is taken for done',
    file: 'say-again.ts',
    from: 'phase, withdrawn: order, isSaidAgain: true };\n  });',
    to: 'phase: item.phase, seen: now + 9, withdrawn: order };\n  });',
    by: 'click, click',
  },
  {
    name: 'a purpose that came back is left on',
    file: 'step-rows.ts',
    from: "f.stands === 'on' && f.isCarried && !f.isSwapped,\n    does: send,",
    to: "f.stands === 'on' && f.isCarried && !f.isSwapped,\n    does: over,",
    by: 'on',
  },
  {
    name: 'a grant whose answer was lost is sent again',
    file: 'step-rows.ts',
    from: "does: { kind: 'look' },",
    to: 'does: send,',
    by: 'on',
  },
  {
    name: 'a grant never expires',
    file: 'step-rows.ts',
    from: "when: (f) => isNew(f) && isGrantOver(f.item.at, f), does: end('not-saved') }",
    to: "when: (f) => isNew(f) && f.now < 0, does: end('not-saved') }",
    by: 'one record: off in a, on beside in b',
  },
  {
    name: 'a purpose that was granted after the form was shown, and is off, is granted again',
    file: 'step-rows.ts',
    from: 'grantedAt > (asked?.form?.order ?? item.order)',
    to: 'grantedAt > Number.POSITIVE_INFINITY',
    by: 'on, on by a form as old',
  },
  {
    name: 'a later grant in another center is withdrawn by an older withdrawal',
    file: 'step-rows.ts',
    from: "{ name: 'asked-since-elsewhere', when: (f) => isDone(f) && f.isSaidSince,",
    to: "{ name: 'asked-since-elsewhere', when: (f) => f.now < 0,",
    by: 'one record: off in a, on in b',
  },
  {
    name: 'a missing refusal counts as recorded',
    file: 'step-rows.ts',
    from: "stands === 'on-by-default', does: { kind: 'refuse' } }",
    to: "stands === 'on-by-default', does: end('saved') }",
    by: 'off what is on by default',
  },
  {
    name: 'no reading follows at the end of the doubt',
    file: 'step.ts',
    from: '    endOf(call, limits),\n',
    to: '',
    by: 'on',
  },
  {
    name: 'a withdrawal elsewhere while a call was in doubt is not kept',
    file: 'step-beside.ts',
    from: "if (stands(id) !== 'off' || isAsked(id)",
    to: "if (stands(id) === 'off' || isAsked(id)",
    by: 'on',
  },
  {
    name: 'a purpose that a late call takes out is not named',
    file: 'step-beside.ts',
    from: 'for (const id of beside) if (isGone(id))',
    to: 'for (const id of beside) if (!isGone(id))',
    by: 'on beside what comes on',
  },
  {
    name: 'a call before the reading that confirms everything off is ignored',
    file: 'step-everything.ts',
    from: '.filter(({ at }) => at < until)',
    to: '.filter(({ at }) => at < everything.at)',
    by: 'on beside, click all',
  },
];
