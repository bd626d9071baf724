import { Banner } from '../Banner.tsx'
import { Button } from '../Button.tsx'
import { DRAWINGS } from '../Drawing.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { NoticeCard } from '../Notices.tsx'
import { notify } from '../notices.ts'
import { ListSkeleton, ThreadSkeleton } from '../Skeleton.tsx'
import styles from './Sandbox.module.css'
import { Specimen } from './Specimen.tsx'

const FOREVER = Number.POSITIVE_INFINITY
const nothing = () => {}

export function StateSpecimens() {
  return (
    <>
      <Specimen name="Notices">
        <Cards />
        <Button onClick={() => notify({ kind: 'success', title: 'Conversation re-opened!' })}>Show one</Button>
      </Specimen>
      <Specimen name="Banners">
        <Banner>Something to know.</Banner>
        <Banner tone="warning" action={<Button size="small">Do it</Button>}>
          Something to do soon.
        </Banner>
        <Banner tone="danger">Something to do now.</Banner>
      </Specimen>
      <Specimen name="Skeleton of a list" tall>
        <ListSkeleton rows={4} label="Loading" />
      </Specimen>
      <Specimen name="Skeleton of a thread" tall>
        <ThreadSkeleton label="Loading" />
      </Specimen>
      {DRAWINGS.map((drawing) => (
        <Specimen key={drawing} name={`Empty state: ${drawing}`} tall>
          <EmptyState
            drawing={drawing}
            title="Title"
            text="What will be here, in a sentence."
            action={<Button>Next step</Button>}
          />
        </Specimen>
      ))}
    </>
  )
}

function Cards() {
  return (
    <div className={styles.notices}>
      <NoticeCard
        closeLabel="Close"
        notice={{ id: -1, kind: 'info', title: 'For your information', seconds: FOREVER }}
      />
      <NoticeCard
        closeLabel="Close"
        notice={{
          id: -2,
          kind: 'success',
          title: 'Conversation deleted!',
          seconds: FOREVER,
          action: { label: 'Undo', run: nothing },
        }}
      />
      <NoticeCard
        closeLabel="Close"
        notice={{
          id: -3,
          kind: 'error',
          title: 'Something went wrong!',
          text: 'Why, in a sentence.',
          seconds: FOREVER,
        }}
      />
    </div>
  )
}
