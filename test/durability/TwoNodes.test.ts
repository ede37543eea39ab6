import { eventsOfNodes } from "./EventsOfNodes.ts"
import { forgottenByNodes } from "./ForgottenByNodes.ts"
import { joiningNode } from "./JoiningNode.ts"
import { killedNode } from "./KilledNode.ts"
import { rolesOfNodes } from "./RolesOfNodes.ts"
import { sharedByNodes } from "./SharedByNodes.ts"
import { useTwoNodes } from "./TwoNodes.ts"

const two = useTwoNodes()

// One PostgreSQL and two processes for all of them; the last one kills a process.
sharedByNodes(two)
eventsOfNodes(two)
forgottenByNodes(two)
rolesOfNodes(two)
joiningNode(two)
killedNode(two)
