/** Small changes of the rules, each of which the walk must notice. */
export interface Planted {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** The setting that finds it, and with how many adverse events. */
  readonly by: string;
  readonly adverse?: number;
}

export const planted: readonly Planted[] = [
  {
    name: 'one empty reading is trusted',
    file: 'observe.ts',
    from: 'if (subject.purposes.length === 0) {',
    to: 'if (subject.purposes.length < 0) {',
    by: 'on',
    adverse: 2,
  },
  {
    name: 'what surprises is believed at once',
    file: 'observe.ts',
    from: 'if (isNews || isTakenBack) return',
    to: 'if (subject.purposes.length < 0) return',
    by: 'on',
  },
  {
    name: 'a reading that may be older is believed',
    file: 'observe.ts',
    from: 'if (at >= until)',
    to: 'if (at >= 0)',
    by: 'on',
  },
  {
    name: 'an old form wins over a withdrawal',
    file: 'say.ts',
    from: 'return isLater(withdrawn) &&',
    to: 'return withdrawn < 0 &&',
    by: 'on, click, on by an old form',
  },
  {
    name: 'everything leaves the grants on their way alone',
    file: 'say.ts',
    from: 'if (purposeOf(key) === undefined || isWithdrawn) return [];',
    to: "if (purposeOf(key) === undefined || isWithdrawn || want === 'on') return [];",
    by: 'on, everything',
  },
  {
    name: 'a withdrawal leaves the grants in another center alone',
    file: 'say.ts',
    from: "if (!isReached || item.want !== 'on'",
    to: "if (isReached || item.want !== 'on'",
    by: 'one record: on in b, click all in a',
  },
  {
    name: 'the same click again is taken for done',
    file: 'say.ts',
    from: 'phase, withdrawn: order, isSaidAgain: true };\n  });',
    to: 'phase: item.phase, seen: now + 9, withdrawn: order };\n  });',
    by: 'click, click',
  },
  {
    name: 'everything by the same click again is taken for done',
    file: 'say.ts',
    from: "const phase = isSame ? 'sent' : 'open';",
    to: "const phase = isSame ? 'verified' : 'open';",
    by: 'click all, click all',
  },
  {
    name: 'what came back is left on',
    file: 'step-rows.ts',
    from: "f.stands === 'on' && f.isCarried, does: send }",
    to: "f.stands === 'on' && f.isCarried, does: over }",
    by: 'on',
  },
  {
    name: 'what came undone is not told',
    file: 'step-rows.ts',
    from: "when: (f) => isDone(f) && f.isDoubtful, does: end('switched-off')",
    to: 'when: (f) => isDone(f) && f.isDoubtful, does: rest',
    by: 'on what is on no record',
  },
  {
    name: 'off already is believed of a reading that may be older than the word',
    file: 'step-rows.ts',
    from: 'readAt < item.at + limits.lag;',
    to: 'readAt < item.at - limits.lag;',
    by: 'click, click',
  },
  {
    name: 'a grant whose answer was lost is sent again',
    file: 'step-rows.ts',
    from: "does: { kind: 'look' },",
    to: 'does: send,',
    by: 'on',
  },
  {
    name: 'a grant has no minute',
    file: 'step-rows.ts',
    from: "when: (f) => isNew(f) && isGrantOver(f.item.at, f), does: end('not-saved') }",
    to: "when: (f) => isNew(f) && f.now < 0, does: end('not-saved') }",
    by: 'on, off, on',
  },
  {
    name: 'what was granted after the form was drawn, and is off, is granted again',
    file: 'step-rows.ts',
    from: 'grantedAt > (asked?.form?.order ?? item.order)',
    to: 'grantedAt > Number.POSITIVE_INFINITY',
    by: 'on, on by a form as old',
  },
  {
    name: 'the status that the form drew is not compared',
    file: 'step-rows.ts',
    from: 'when: (f) => isNew(f) && isOffOtherwise(f),',
    to: 'when: (f) => isNew(f) && f.now < 0,',
    by: 'on what is on no record',
  },
  {
    name: 'a newer grant does not wait for an older withdrawal',
    file: 'step-rows.ts',
    from: "when: (f) => isNew(f) && f.isHeldUp, does: { kind: 'wait' } }",
    to: "when: (f) => f.now < 0, does: { kind: 'wait' } }",
    by: 'everything, on',
  },
  {
    name: 'a grant does not wait for a withdrawal of its own in doubt',
    file: 'step-rows.ts',
    from: 'when: (f) => isNew(f) && f.isTakingOut,',
    to: 'when: (f) => isNew(f) && f.now < 0,',
    by: 'off, on',
  },
  {
    name: 'a later grant in another center is withdrawn by an older withdrawal',
    file: 'step-rows.ts',
    from: "{ name: 'asked-since-elsewhere', when: (f) => isDone(f) && f.isSaidSince,",
    to: "{ name: 'asked-since-elsewhere', when: (f) => f.now < 0,",
    by: 'one record: off in a, on in b',
  },
  {
    name: 'a refusal that is missing counts as one',
    file: 'step-rows.ts',
    from: "stands === 'assumed', does: { kind: 'refuse' } }",
    to: "stands === 'assumed', does: end('saved') }",
    by: 'off what is on by default',
  },
  {
    name: 'no look at the end of the doubt',
    file: 'step.ts',
    from: '    endOf(call, limits),\n',
    to: '',
    by: 'on',
  },
  {
    name: 'the last look is at the end of the doubt, without the lag',
    file: 'desired-state.ts',
    from: 'answer === undefined ? at + doubt + lag :',
    to: 'answer === undefined ? at + doubt :',
    by: 'on',
  },
  {
    name: 'a grant that failed may come late',
    file: 'desired-state.ts',
    from: "want: isValue ? want : 'off',",
    to: 'want,',
    by: 'on what is on no record',
  },
  {
    name: 'what others withdrew while a call was in doubt is not held',
    file: 'step-beside.ts',
    from: "if (stands(id) !== 'off' || isAsked(id)",
    to: "if (stands(id) === 'off' || isAsked(id)",
    by: 'on',
  },
  {
    name: 'what a late call takes out is not named',
    file: 'step-beside.ts',
    from: 'for (const id of beside) if (isGone(id))',
    to: 'for (const id of beside) if (!isGone(id))',
    by: 'on beside what comes on',
  },
  {
    name: 'everything is done though its DELETE may not have arrived',
    file: 'step-everything.ts',
    from: 'const isYoung = !isAnswered &&',
    to: 'const isYoung = isAnswered &&',
    by: 'click all of what is off',
    adverse: 2,
  },
  {
    name: 'everything stops looking once it was told',
    file: 'step-everything.ts',
    from: "return isDone ? stands === 'on' && has(carried, key) : isToWithdraw(stands);",
    to: 'return isDone ? false : isToWithdraw(stands);',
    by: 'on beside, click all',
  },
  {
    name: 'a call that did nothing counts as made',
    file: 'step-call.ts',
    from: "if (item.want === 'off' || !isRefused)\n      return",
    to: "if (item.want === 'off') return { ...item, phase: 'verified' };\n    if (!isRefused)\n      return",
    by: 'off',
  },
];
