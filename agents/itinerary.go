package agents

// SetArrivalRadius changes at which distance, in meters, agents arrive at the goal of a layer, from
// the next step on: in all itineraries. The error is ErrDeleted or one of gpu.Device.Do.
func (c *Crowd) SetArrivalRadius(layer int, radius float32) error {
	return c.do(func() error {
		for i := range c.itineraries {
			if c.itineraries[i].Layer == uint32(layer) {
				c.itineraries[i].ArrivalRadius = radius
			}
		}
		c.writeSources()
		return nil
	})
}
