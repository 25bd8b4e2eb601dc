"""One file a kind of claim: each turns a claim and the table into a Reading."""
